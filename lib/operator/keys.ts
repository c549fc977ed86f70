/**
 * Keys of the operator; the switches are in `lib/kv/keys.ts`.
 *
 * | key | value | written by |
 * |---|---|---|
 * | ["operator_actions", id] | `StoredAction`; kept for good, ids sort by time | operator commands |
 * | ["operator_undos", id of a run, id of its action] | `StoredUndo`: what reverses the action; expires | operator commands |
 * | ["reports", id] | `StoredReport`; until it is closed | report forms, `POST /api/v1/reports`, operator commands |
 * | ["health_probe"] | time (ms) of the last probe | health |
 */
export const operatorKeys = {
  action: (id: string) => ["operator_actions", id],
  actions: ["operator_actions"],
  undo: (run: string, action: string) => ["operator_undos", run, action],
  undosOf: (run: string) => ["operator_undos", run],
  undos: ["operator_undos"],
  report: (id: string) => ["reports", id],
  reports: ["reports"],
  healthProbe: ["health_probe"],
} as const;
