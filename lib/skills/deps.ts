import type { Lru } from "../cache/lru.ts";
import type { Core } from "../core.ts";
import type { Answers } from "../http/answers.ts";
import type { SkillCatalogue } from "./catalogue.ts";

export interface Deps extends Core {
  /** Public answers, made once per change. */
  answers: Answers;
  /** The versions with an install noted by this process today. */
  installs: Lru<true>;
  /** The live skills in memory. */
  skills: SkillCatalogue;
}
