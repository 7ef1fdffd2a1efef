import type { IncomingMessage, ServerResponse } from 'node:http'

const LINGER_BYTES = 4 * 2 ** 20
const LINGER_MS = 2000
const LOOK_EVERY_MS = 10

/**
 * Lets an answer arrive that is sent before its request was read. Closing a connection with unread bytes makes the
 * system reset it, and a reset can overtake the answer; so the connection is closed for writing, 4 MB of the rest are
 * thrown away, and it ends when everything has come or after 2 s (RFC 9112 §9.6). Beyond 4 MB the client is stopped by
 * its full buffers, not by a reset: it then gets to read. To be called before the answer's head is written.
 */
export function lingerIfUnread(req: IncomingMessage, res: ServerResponse): void {
  if (req.complete) return
  const { socket } = req
  res.shouldKeepAlive = false
  // Node.js ends a connection that is not kept alive by this method, as soon as the answer is written.
  socket.destroySoon = () => {
    const readBefore = socket.bytesRead
    const until = performance.now() + LINGER_MS
    // A listener for 'data' would take the connection from the HTTP parser, which then never reads on where it had
    // paused.
    const timer = setInterval(() => {
      if (req.complete || performance.now() > until) socket.destroy()
      else if (socket.bytesRead - readBefore > LINGER_BYTES) socket.pause()
    }, LOOK_EVERY_MS)
    socket.once('close', () => clearInterval(timer))
    socket.end()
    req.resume()
  }
}
