/** How the last run of a job ended. */
export interface JobRun {
  at: number;
  ok: boolean;
}

/** What health must know of a job. */
export interface WatchedJob {
  /** Names it in logs and in KV; lowercase words and dashes. */
  name: string;
  /** The longest that may lie between two runs, in ms, before health says that it is late. */
  maxGapMs: number;
}
