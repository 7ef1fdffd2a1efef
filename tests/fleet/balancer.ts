import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

const CONNECT_MS = 2000
const LOOK_AGAIN_MS = 20

/** The load balancer of the instances, on a loopback port. */
export interface Balancer {
  name: string
  /** The URL for clients. */
  base: string
  /** Sends new connections to these loopback ports from now on. Open connections stay. */
  route(ports: number[]): Promise<void>
  close(): Promise<void>
}

/** Debian's nginx with the configuration of deploy/nginx if it is installed, otherwise our own TCP round robin. */
export async function openBalancer(ports: number[]): Promise<Balancer> {
  return spawnSync('nginx', ['-v']).error === undefined ? openNginx(ports) : openRoundRobin(ports)
}

async function openNginx(ports: number[]): Promise<Balancer> {
  const folder = mkdtempSync(join(tmpdir(), 'sheaf-fleet-nginx-'))
  const port = await findFreePort()
  const server = readFileSync('deploy/nginx/sheaf.conf', 'utf8').replace(
    'listen 80;',
    `listen 127.0.0.1:${port}; add_header X-Served-By $upstream_addr always;`,
  )
  const upstream = readFileSync('deploy/nginx/upstream.conf', 'utf8')
  const writeUpstream = (ports: number[]) =>
    writeFileSync(
      join(folder, 'upstream.conf'),
      upstream.replace(/( *server [^;]+;\n)+/, ports.map(one => `  server 127.0.0.1:${one} max_fails=0;\n`).join('')),
    )
  writeUpstream(ports)
  writeFileSync(join(folder, 'sheaf.conf'), server)
  writeFileSync(join(folder, 'nginx.conf'), describeNginx(folder))
  const child = spawn('nginx', ['-p', folder, '-c', join(folder, 'nginx.conf'), '-e', join(folder, 'error.log')], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const ended = once(child, 'exit')
  await untilOpen(port)
  return {
    name: 'nginx',
    base: `http://127.0.0.1:${port}`,
    async route(ports) {
      writeUpstream(ports)
      child.kill('SIGHUP')
      await Promise.resolve()
    },
    async close() {
      child.kill('SIGTERM')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** nginx writes everything into a folder of this run. Its workers run as the current user. */
function describeNginx(folder: string): string {
  const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map(name => `${name}_temp_path ${join(folder, name)};`)
    .join(' ')
  return `daemon off; pid ${join(folder, 'pid')}; worker_processes 1; ${process.getuid?.() === 0 ? 'user root;' : ''}
events { worker_connections 1024; }
http { access_log off; ${places} include ${join(folder, 'upstream.conf')}; include ${join(folder, 'sheaf.conf')}; }
`
}

/** Passes each new connection to the next port that accepts one. */
export async function openRoundRobin(first: number[]): Promise<Balancer> {
  let ports = first
  let turn = 0
  const open = new Set<Socket>()
  const server = createServer({ allowHalfOpen: true }, client => {
    open.add(client)
    client.on('close', () => open.delete(client)).on('error', () => client.destroy())
    const choices = ports.map((_, index) => ports[(turn + index) % ports.length] ?? 0)
    turn += 1
    void connectFirst(choices).then(upstream =>
      upstream === undefined ? client.destroy() : joinSockets(client, upstream),
    )
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    name: 'a round robin of our own over TCP; nginx is not installed (apt-get install nginx-light)',
    base: `http://127.0.0.1:${portOf(server)}`,
    async route(next) {
      ports = next
      await Promise.resolve()
    },
    async close() {
      server.close()
      for (const socket of open) socket.destroy()
      await once(server, 'close')
    },
  }
}

async function connectFirst(ports: number[]): Promise<Socket | undefined> {
  for (const port of ports) {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    const isOpen = await Promise.race([
      once(socket, 'connect').then(
        () => true,
        () => false,
      ),
      wait(CONNECT_MS).then(() => false),
    ])
    if (isOpen) return socket
    socket.destroy()
  }
  return undefined
}

function joinSockets(client: Socket, upstream: Socket): void {
  upstream.on('error', () => client.destroy()).on('close', isBroken => (isBroken ? client.destroy() : undefined))
  client.on('close', () => upstream.destroy())
  client.pipe(upstream)
  upstream.pipe(client)
}

async function untilOpen(port: number): Promise<void> {
  for (let tries = 0; (await connectFirst([port]).then(socket => socket?.destroy())) === undefined; tries += 1) {
    if (tries > CONNECT_MS / LOOK_AGAIN_MS) throw new Error('nginx does not listen')
    await wait(LOOK_AGAIN_MS)
  }
}

async function findFreePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const port = portOf(probe)
  probe.close()
  await once(probe, 'close')
  return port
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port // The server listens on a port.
}
