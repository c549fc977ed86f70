/** How the last run of a job ended. */
export interface JobRun {
  at: number;
  ok: boolean;
}

/** What health needs to know about a job. */
export interface WatchedJob {
  /** Its name in logs and KV: lowercase words and dashes. */
  name: string;
  /** The longest gap between two runs, in ms, before health reports it as late. */
  maxGapMs: number;
}
