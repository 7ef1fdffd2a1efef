import { findEndpoint } from '../endpoints'
import { writeShortSample } from '../samples'

/** Returns the command that several pages use as an example: it rotates a file. */
export function writeRotation(origin: string): string {
  const call = findEndpoint('rotate-pdf')
  if (!call) throw new Error('The example of the documentation needs rotate-pdf')
  return writeShortSample(call, origin, { angle: 90 })
}
