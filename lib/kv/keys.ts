/**
 * Keys that belong to the store itself.
 *
 * | key | value | written by |
 * |---|---|---|
 * | ["revision"] | u64, one more with each logged write | every transaction with a log entry |
 * | ["changes", id] | `Change`; kept for good | `tx.change` |
 * | ["pulses", id] | `Pulse[]` of one commit (formerly one `Pulse`); expires | `tx.pulse` |
 * | ["markers", id] | the keys that a transaction wrote, expires; or false if voided, which expires later | every transaction; without a log entry, it is its marker |
 * | ["switches"] | `Switches` | operator commands |
 * | ["job_runs", job] | the last `JobRun` | runs of a job, but only a few of the idle ones; backups |
 * | ["schema_version"] | number | the first start, migrations |
 * | ["salt_digest"] | SHA-256 of the salt | startup |
 * | ["salt_accepted_at"] | when (ms) a different salt was accepted | startup |
 * | ["room", number] | bytes, deleted immediately | a full disk, see `DiskGuard` |
 */
export const storeKeys = {
  revision: ["revision"],
  change: (id: string) => ["changes", id],
  changes: ["changes"],
  pulse: (id: string) => ["pulses", id],
  pulses: ["pulses"],
  marker: (id: string) => ["markers", id],
  markers: ["markers"],
  switches: ["switches"],
  jobRun: (job: string) => ["job_runs", job],
  jobRuns: ["job_runs"],
  schemaVersion: ["schema_version"],
  saltDigest: ["salt_digest"],
  room: (n: number) => ["room", n],
  saltAcceptedAt: ["salt_accepted_at"],
} as const;
