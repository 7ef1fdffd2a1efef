import { runJob } from '../../engines/jobs'
import { findTool } from '../../engines/tools/registry'
import { PIPELINE_JOB } from '../../engines/types'
import type { EngineLimits, PlannedStep, StepInput, ToolResult } from '../../engines/types'
import { LIMITS } from './engine-limits'

/** A step as a test writes it. Without inputs, the first step reads all files, and any other the result before it. */
export interface TestStep extends Partial<Omit<PlannedStep, 'inputs'>> {
  inputs?: StepInput[]
}

export interface NamedFile {
  name: string
  bytes: Uint8Array
}

interface Settings extends Partial<EngineLimits> {
  hasReceipt?: boolean
  onOpened?: () => void
}

/** Runs steps on files in this process. `bytes` is the result as one buffer. */
export async function runSteps(
  steps: TestStep[],
  files: NamedFile[],
  { hasReceipt = false, onOpened = () => undefined, ...limits }: Settings = {},
): Promise<ToolResult & { bytes: Buffer }> {
  const planned = steps.map(({ options, ...step }, index): PlannedStep => ({
    kind: 'tool',
    id: '',
    shownOptions: options ?? {},
    inputs: index === 0 ? files.map((_, file) => ({ file })) : [{ step: index - 1 }],
    ...step,
    options: findTool(step.id ?? '')?.options.parse(options ?? {}) ?? options ?? {},
  }))
  const result = await runJob(
    {
      tool: PIPELINE_JOB,
      options: { steps: planned, hasReceipt },
      files: files.map(({ name, bytes }) => ({ name, bytes: new Uint8Array(bytes) })),
      limits: { ...LIMITS, ...limits },
    },
    onOpened,
  )
  return { ...result, bytes: Buffer.concat(result.chunks) }
}
