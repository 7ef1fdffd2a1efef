import type { EngineLimits } from '../../engines/types'
import { runJob } from '../../engines/jobs'
import { LIMITS } from './engine-limits'

export { LIMITS }

type Result = Awaited<ReturnType<typeof runJob>>

interface Call extends Partial<EngineLimits> {
  /** The time of the request. */
  now?: Date
  /** The name of the only file. */
  name?: string
}

/** Runs a tool in this process. `bytes` is its output as one buffer. */
export async function runOn(
  tool: string,
  files: Uint8Array | Uint8Array[],
  options: unknown = {},
  { now, name = 'input.pdf', ...limits }: Call = {},
): Promise<Result & { bytes: Buffer }> {
  const list = Array.isArray(files) ? files : [files]
  const named = list.map((bytes, index) => ({
    name: list.length === 1 ? name : `input-${index + 1}.pdf`,
    bytes: new Uint8Array(bytes),
  }))
  const result = await runJob(
    { tool, options, files: named, limits: { ...LIMITS, ...limits }, ...(now && { now }) },
    () => undefined,
  )
  return { ...result, bytes: Buffer.concat(result.chunks) }
}
