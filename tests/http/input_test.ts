import { assertEquals, assertThrows } from "@std/assert";
import { z } from "zod";
import { DomainError } from "@/lib/errors.ts";
import { parseInput } from "@/lib/http/input.ts";

Deno.test("parseInput says each bound as a sentence, one of a kind in the singular", () => {
  const schema = z.object({
    none: z.string().min(1),
    short: z.string().min(2),
    long: z.string().max(1000),
    few: z.array(z.string()).min(1),
    many: z.array(z.string()).max(2),
    low: z.int().min(1),
  });
  const body = {
    none: "",
    short: "a",
    long: "a".repeat(1001),
    few: [],
    many: ["a", "b", "c"],
    low: 0,
  };
  const error = assertThrows(() => parseInput(schema, body), DomainError);
  assertEquals(error.details, [
    { field: "none", message: "Must not be empty" },
    { field: "short", message: "Must have at least 2 characters" },
    { field: "long", message: "Must have at most 1,000 characters" },
    { field: "few", message: "Must have at least 1 item" },
    { field: "many", message: "Must have at most 2 items" },
    { field: "low", message: "Must be at least 1" },
  ]);
});
