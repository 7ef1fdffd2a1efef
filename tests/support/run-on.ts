import type { EngineLimits } from '../../engines/types'
import { runJob } from '../../engines/jobs'

/** The default limits of the service. */
export const LIMITS: EngineLimits = {
  maxPagesIn: 10_000,
  maxPagesOut: 20_000,
  maxOutputBytes: 512 * 2 ** 20,
  maxObjects: 500_000,
  maxStreamBytes: 75_000_000,
  maxInflateBytes: 512_000_000,
  maxPixels: 25_000_000,
  ocrPageTimeoutMs: 15_000,
}

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
