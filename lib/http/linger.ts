import type { IncomingMessage, ServerResponse } from 'node:http'

const LINGER_BYTES = 4 * 2 ** 20
const LINGER_MS = 2000

/**
 * Lets an answer arrive that is sent before its request was read. Closing a connection with unread bytes makes the
 * system reset it, and a reset can overtake the answer; so the connection is closed for writing, up to 4 MB or 2 s of
 * the rest are thrown away, and only then it ends (RFC 9112 §9.6). To be called before the answer's head is written.
 */
export function lingerIfUnread(req: IncomingMessage, res: ServerResponse): void {
  if (req.complete) return
  const { socket } = req
  res.shouldKeepAlive = false
  // Node.js ends a connection that is not kept alive by this method, as soon as the answer is written.
  socket.destroySoon = () => {
    let left = LINGER_BYTES
    const timer = setTimeout(() => socket.destroy(), LINGER_MS)
    socket.once('close', () => clearTimeout(timer))
    socket.on('data', chunk => {
      left -= chunk.length
      if (left < 0) socket.destroy()
    })
    socket.end()
    req.resume()
  }
}
