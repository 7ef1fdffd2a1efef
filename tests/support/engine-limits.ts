import type { EngineLimits } from '../../engines/types'

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
