import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

/** A proxy to a Postgres server that can refuse connections, delay data, and lose it. */
export interface DatabaseProxy {
  /** The database's URL through the proxy. */
  url: string
  /** Simulates a stopped server: connections break, and new ones are refused. */
  refuse(): Promise<void>
  /** Delays every chunk in both directions by this time. */
  delay(ms: number): void
  /** Loses every chunk in both directions. Connections stay open. */
  hang(): void
  /** Passes everything on at once. */
  pass(): Promise<void>
  close(): Promise<void>
}

/** Opens a proxy to a database on a separate loopback port. */
export async function openDatabaseProxy(databaseUrl: string): Promise<DatabaseProxy> {
  const target = new URL(databaseUrl)
  const open = new Set<Socket>()
  const state = { delayMs: 0, isHanging: false }
  const timers = new Set<NodeJS.Timeout>()
  const join = (from: Socket, to: Socket) => {
    open.add(from)
    from.on('data', (piece: Buffer) => {
      if (!state.isHanging) passOn(piece, to, state.delayMs, timers)
    })
    from.on('error', () => to.destroy()) // The end of its connection informs the other side.
    from.on('close', () => {
      open.delete(from)
      to.destroy()
    })
  }
  const server = createServer(client => {
    const upstream = connect(Number(target.port), target.hostname)
    join(client, upstream)
    join(upstream, client)
  })
  const port = await listen(server, 0)
  const cutAll = () => {
    for (const timer of timers) clearTimeout(timer)
    timers.clear()
    for (const socket of open) socket.destroy()
  }
  const refuse = async () => {
    cutAll()
    if (!server.listening) return
    server.close()
    await once(server, 'close')
  }
  const url = new URL(databaseUrl)
  url.port = String(port)
  return {
    url: url.href,
    refuse,
    delay: ms => {
      state.delayMs = ms
    },
    hang: () => {
      state.isHanging = true
    },
    async pass() {
      Object.assign(state, { delayMs: 0, isHanging: false })
      if (!server.listening) await listen(server, port)
    },
    close: refuse,
  }
}

/** Delayed chunks stay in order, because all of them wait equally long. */
function passOn(piece: Buffer, to: Socket, delayMs: number, timers: Set<NodeJS.Timeout>): void {
  if (delayMs === 0) {
    to.write(piece)
    return
  }
  const timer = setTimeout(() => {
    timers.delete(timer)
    to.write(piece)
  }, delayMs)
  timers.add(timer)
}

async function listen(server: Server, port: number): Promise<number> {
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port // The server listens on a port.
}
