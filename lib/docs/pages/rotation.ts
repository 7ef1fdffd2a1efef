import { findEndpoint } from '../endpoints'
import { writeShortSample } from '../samples'

/** Returns the command that several pages use as an example: it rotates a file. */
export function writeRotation(origin: string): string {
  const endpoint = findEndpoint('rotate-pdf')
  if (!endpoint) throw new Error('The example of the documentation needs rotate-pdf')
  return writeShortSample(endpoint, origin, { angle: 90 })
}
