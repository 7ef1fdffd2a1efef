/** A stage, and the counts of its run. */
type Counts = Partial<Record<'passed' | 'failed' | 'skipped', number>> & { problems?: string[] }
type Stage = { name: string; title: string; lane?: string; run(): Promise<Counts> }

export function runStages(stages: Stage[], options?: { untilMs?: number; hasBudgets?: boolean }): Promise<object[]>
