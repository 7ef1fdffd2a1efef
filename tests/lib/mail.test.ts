import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { readConfig } from '../../lib/config'
import { openMailServer } from '../../lib/mail'
import { startMailServer } from '../support/mail-server'

const PASSWORD = 'the-password-of-the-server'
const MAIL = {
  from: 'sheaf@example.test',
  to: 'you@example.test',
  subject: 'A secret link',
  text: 'https://pdf.example.test/secret',
}
const opened: { stop(): Promise<void> }[] = []

afterEach(async () => {
  for (const server of opened.splice(0)) await server.stop()
})

const send = (variables: Record<string, string>) => openMailServer(readConfig(variables)).sendMail(MAIL)

/** A mail server that offers a login, responds to STARTTLS as told, and records all bytes that it gets. */
async function startRecorder(greeting: string[], starttls = '454 not now') {
  const received: Buffer[] = []
  const server = createServer(socket => {
    socket.on('error', () => {})
    socket.write('220 test\r\n')
    socket.on('data', part => {
      received.push(part)
      const line = part.toString('latin1')
      if (/^EHLO/i.test(line))
        socket.write(greeting.map((name, i) => `250${i < greeting.length - 1 ? '-' : ' '}${name}\r\n`).join(''))
      else if (/^STARTTLS/i.test(line)) socket.write(`${starttls}\r\n`)
      else if (part[0] === 0x16) socket.destroy()
      else socket.write('250 ok\r\n')
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  opened.push({ stop: () => new Promise(resolve => void server.close(() => resolve())) })
  return {
    port: (server.address() as AddressInfo).port,
    text: () => Buffer.concat(received).toString('latin1'),
    received,
  }
}

const LOGIN = 'AUTH PLAIN LOGIN'

describe('an email', () => {
  it.each([
    ['offers no encryption', [LOGIN], undefined],
    ['takes its offer of encryption back', ['STARTTLS', LOGIN], undefined],
    ['answers STARTTLS with nonsense', ['STARTTLS', LOGIN], '250 ok'],
  ])('is not sent, and neither is the password, to a server that %s', async (_, greeting, starttls) => {
    const server = await startRecorder(['test', ...greeting], starttls)
    await expect(send({ SMTP_URL: `smtp://user:${PASSWORD}@127.0.0.1:${server.port}` })).rejects.toThrow(
      /STARTTLS|secure TLS connection/,
    )
    expect(server.text()).toContain('EHLO')
    for (const secret of [
      'AUTH',
      'MAIL FROM',
      MAIL.to,
      PASSWORD,
      Buffer.from(`\0user\0${PASSWORD}`).toString('base64'),
    ])
      expect(server.text()).not.toContain(secret)
  })

  it('goes over TLS if the server offers STARTTLS', async () => {
    const server = await startRecorder(['test', 'STARTTLS', LOGIN], '220 go ahead')
    await expect(send({ SMTP_URL: `smtp://user:${PASSWORD}@127.0.0.1:${server.port}` })).rejects.toThrow(
      /STARTTLS|secure TLS connection/,
    ) // This server ends the handshake.
    const [first, second, hello] = server.received
    expect([first, second].map(line => String(line).slice(0, 4))).toEqual(['EHLO', 'STAR'])
    expect(hello?.[0]).toBe(0x16) // A handshake record (RFC 8446, 5.1).
  })

  it('goes without encryption if SMTP_TLS is off', async () => {
    const server = await startMailServer()
    opened.push(server)
    await send({ SMTP_URL: server.url, SMTP_TLS: 'off' })
    expect(server.received.map(({ to }) => to)).toEqual([[MAIL.to]])
  })
})

describe('the settings of the mail server', () => {
  it('never combine a password with a connection that may lack encryption', () => {
    for (const url of [
      `smtp://user:${PASSWORD}@mail.example.com`,
      'smtp://user@mail.example.com',
      'smtps://mail.example.com',
    ])
      expect(() => readConfig({ SMTP_URL: url, SMTP_TLS: 'off' })).toThrow(/SMTP_TLS: must be required/)
    for (const option of ['requireTLS=false', 'ignoreTLS=true', 'opportunisticTLS=true'])
      expect(() => readConfig({ SMTP_URL: `smtp://user:${PASSWORD}@mail.example.com?${option}` })).toThrow(
        'SMTP_URL: must not contain',
      )
  })

  it('are rejected without showing the password', () => {
    const wrong = [`http://user:${PASSWORD}@mail.example.com`, `user:${PASSWORD}@mail.example.com`]
    for (const SMTP_URL of wrong) {
      const read = () => readConfig({ SMTP_URL })
      expect(read).toThrow('SMTP_URL: must be a URL such as smtp://')
      expect(read).not.toThrow(PASSWORD)
    }
  })
})
