import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'

/** An email as it was delivered: its envelope and its text with all headers. */
export interface ReceivedMail {
  to: string[]
  text: string
}

/** The first link in an email. Quoted-printable encoding breaks its long lines. */
export function findLink({ text }: ReceivedMail): string {
  return /https?:\S+/.exec(text.replace(/=\n/g, '').replace(/=3D/g, '='))?.[0] ?? ''
}

export interface MailServer {
  url: string
  received: ReceivedMail[]
  stop(): Promise<void>
}

/** A mail server on a free port of this machine that accepts every email, stores it, and passes it to `onMail`. */
export async function startMailServer(onMail?: (mail: ReceivedMail) => void): Promise<MailServer> {
  const received: ReceivedMail[] = []
  const sockets = new Set<Socket>()
  const server = createServer(socket => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    converse(socket, mail => {
      received.push(mail)
      onMail?.(mail)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // A TCP server has an address of this type.
  return {
    url: `smtp://127.0.0.1:${port}`,
    received,
    async stop() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

/** The part of RFC 5321 that a client without encryption and login needs. */
function converse(socket: Socket, deliver: (mail: ReceivedMail) => void): void {
  let pending = ''
  let to: string[] = []
  let data: string[] | undefined
  const say = (line: string) => socket.write(`${line}\r\n`)
  say('220 test')
  socket.setEncoding('utf8').on('data', (part: string) => {
    const lines = (pending + part).split('\r\n')
    pending = lines.pop() ?? ''
    for (const line of lines) hear(line)
  })

  function hear(line: string): void {
    if (data !== undefined) {
      if (line !== '.') return void data.push(line.replace(/^\./, ''))
      deliver({ to, text: data.join('\n') })
      data = undefined
      to = []
      say('250 taken')
      return
    }
    const recipient = /^RCPT TO:<([^>]*)>/i.exec(line)?.[1]
    if (recipient !== undefined) to.push(recipient)
    if (/^DATA/i.test(line)) {
      data = []
      say('354 go on')
    } else if (/^QUIT/i.test(line)) socket.end('221 bye\r\n')
    else say('250 ok')
  }
}
