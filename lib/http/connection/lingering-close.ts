import type { IncomingMessage, ServerResponse } from 'node:http'

const LINGER_BYTES = 4 * 2 ** 20
const LINGER_MS = 2000
const LOOK_EVERY_MS = 10

/**
 * Lets a response arrive that is sent before its request was read. If a connection closes with unread bytes, the system
 * resets it, and a reset can overtake the response. So this function closes the connection for writing only and
 * discards up to 4 MB of the remaining request. The connection ends when the whole request has arrived, or after 2 s
 * (RFC 9112 §9.6). Beyond 4 MB, full buffers stop the client instead of a reset, so the client can still read. Call
 * this function before the response head is written.
 */
export function lingerIfUnread(req: IncomingMessage, res: ServerResponse): void {
  if (req.complete) return
  const { socket } = req
  res.shouldKeepAlive = false
  // Node.js calls this method to end a connection without keep-alive as soon as the response is written.
  socket.destroySoon = () => {
    const readBefore = socket.bytesRead
    const until = performance.now() + LINGER_MS
    // A listener for 'data' would detach the HTTP parser from the connection, and the parser would never resume.
    const timer = setInterval(() => {
      if (req.complete || performance.now() > until) socket.destroy()
      else if (socket.bytesRead - readBefore > LINGER_BYTES) socket.pause()
    }, LOOK_EVERY_MS)
    socket.once('close', () => clearInterval(timer))
    socket.end()
    req.resume()
  }
}
