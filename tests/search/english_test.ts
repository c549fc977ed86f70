import { assertEquals } from "@std/assert";
import { stemOf } from "@/lib/search/english.ts";

Deno.test("words of one family have the same stem", () => {
  for (
    const family of [
      "key keys keyed",
      "deploy deploys deploying deployer deployment",
      "deliver deliveries delivery",
      "notify notifier notifying notification",
      "photographer photography photographic",
      "strategy strategies strategic",
      "summary summaries summarize summarise",
      "analysis analyze analyse analyser",
      "scrape scraper scraping",
      "write writer writing",
      "plan planner planning",
      "quiz quizzes",
      "transcribe transcript transcription",
      "subscribe subscriber subscription",
      "center centre centered",
      "catalog catalogue catalogs",
      "license licence licensing",
      "gray grey",
      "drag dragging draggable",
      "swipe swiper swipeable",
      "scale scaling scalable",
    ]
  ) {
    const stems = new Set(family.split(" ").map(stemOf));
    assertEquals(stems.size, 1, `${family}: ${[...stems].join(" ")}`);
  }
});

Deno.test("words that only look related have different stems", () => {
  for (
    const words of [
      "slide slider",
      "factory factor",
      "directory director",
      "recipe recipient",
      "cap capable",
      "work worker",
      "book booking",
      "new news newsletter",
      "message messaging",
      "window windows",
      "fit fitness",
      "care career",
      "busy business",
      "product productivity",
      "electron electronics",
      "response responsive",
      "terminate terminal",
      "sanitize sanity",
      "solid solidity",
      "learn learning",
      "token tokenize",
      "transform transformers",
    ]
  ) {
    const stems = words.split(" ").map(stemOf);
    assertEquals(new Set(stems).size, stems.length, `${words}: ${stems.join(" ")}`);
  }
});
