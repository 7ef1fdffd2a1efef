import type { OutputContent } from '../../../engines/output-content'
import type { ClientResponse } from '../../requests/client-response'

/**
 * Sends an output as fast as its client reads it, and stops if the response ends. At most one piece of a spool file is
 * in memory. A small output takes one write. Throws an Error if the spool file can't be read, or if the content is
 * released before the response ends.
 */
export async function writeOutput(
  response: Pick<ClientResponse, 'write' | 'finish' | 'end'>,
  content: OutputContent,
): Promise<void> {
  let left = content.byteLength
  for await (const piece of content.read()) {
    if (response.end !== undefined) return
    left -= piece.byteLength
    if (left === 0) return response.finish(piece)
    await response.write(piece)
  }
  if (response.end !== undefined) return
  if (left > 0) throw new Error('an output was released before its end')
  response.finish()
}
