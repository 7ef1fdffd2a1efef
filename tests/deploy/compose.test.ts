import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { isRead } from './variables'

interface ComposeService {
  image: string
  build?: { args: Record<string, string> }
  user?: string
  ports?: string[]
  command?: string[]
  depends_on?: Record<string, { condition: string }>
  environment: Record<string, string>
  networks: Record<string, { ipv4_address?: string }>
  volumes?: string[]
  healthcheck?: { test: string[] }
  read_only?: boolean
  tmpfs?: string[]
  cap_drop?: string[]
  security_opt?: string[]
  mem_limit: string
  stop_grace_period?: string
}

interface Compose {
  services: Record<string, ComposeService>
  networks: Record<string, { internal?: boolean; ipam?: { config: { subnet: string }[] } }>
  volumes: Record<string, unknown>
}

const compose = parse(readFileSync('deploy/compose.yaml', 'utf8')) as Compose
const { sheaf, browser, postgres } = compose.services as Record<'sheaf' | 'browser' | 'postgres', ComposeService>
const services = Object.entries(compose.services)

describe('compose.yaml', () => {
  it('names networks, volumes and services that it declares', () => {
    for (const [name, service] of services) {
      for (const network of Object.keys(service.networks)) expect(compose.networks, name).toHaveProperty(network)
      for (const volume of service.volumes ?? [])
        expect(compose.volumes, name).toHaveProperty(volume.split(':')[0] ?? '')
      for (const [other, { condition }] of Object.entries(service.depends_on ?? {}))
        expect({ other, condition, hasCheck: compose.services[other]?.healthcheck !== undefined }).toEqual({
          other,
          condition: 'service_healthy',
          hasCheck: true,
        })
      expect(service.mem_limit, name).toMatch(/^\d+g$/)
    }
  })

  it.each(Object.keys(sheaf.environment))('sets a variable that the service reads: %s', name => {
    expect(isRead(name)).toBe(true)
  })

  it('connects the service to the database and to the browser', () => {
    const database = new URL((sheaf.environment['DATABASE_URL'] ?? '').replace(/\$\{[^}]*\}/, 'x'))
    expect([database.hostname, database.username, database.pathname.slice(1)]).toEqual([
      'postgres',
      postgres.environment['POSTGRES_USER'],
      postgres.environment['POSTGRES_DB'],
    ])
    const endpoint = new URL(sheaf.environment['BROWSER_WS_ENDPOINT'] ?? '')
    expect([endpoint.hostname, endpoint.port]).toEqual(['browser', browser.environment['PORT']])
    expect(browser.command?.every(word => word === 'node' || existsSync(word))).toBe(true)
    expect(browser.image).toBe(sheaf.image)
    const address = sheaf.networks['pages']?.ipv4_address ?? ''
    expect(sheaf.environment['EGRESS_HOST']).toBe(address)
    const subnet = compose.networks['pages']?.ipam?.config[0]?.subnet ?? ''
    expect(subnet).toMatch(/\/24$/)
    expect(address.split('.').slice(0, 3)).toEqual(subnet.split('.').slice(0, 3))
  })

  it('lets database and browser reach only the service', () => {
    for (const other of [browser, postgres]) {
      const networks = Object.keys(other.networks)
      expect(networks.map(name => compose.networks[name]?.internal)).toEqual([true])
      expect(services.filter(([, { networks: own }]) => networks.some(name => name in own)).length).toBe(2)
    }
  })

  it.each([
    ['sheaf', sheaf],
    ['browser', browser],
    ['postgres', postgres],
  ] as const)('gives %s only its own writable folders, and no privileges', (_, service) => {
    expect([service.read_only, service.cap_drop]).toEqual([true, ['ALL']])
    expect(service.security_opt).toContain('no-new-privileges:true')
    expect(service.tmpfs?.[0]).toMatch(/^\/tmp:/)
  })

  it('gives the database no root, no port of the machine, and no connection without a password', () => {
    expect([postgres.user, postgres.ports]).toEqual(['postgres', undefined])
    expect(postgres.tmpfs?.map(one => one.split(':')[0])).toEqual(['/tmp', '/run/postgresql'])
    const methods = [...(postgres.environment['POSTGRES_INITDB_ARGS'] ?? '').matchAll(/--auth-(local|host)=(\S+)/g)]
    expect(methods.map(([, kind, method]) => [kind, method])).toEqual([
      ['local', 'scram-sha-256'],
      ['host', 'scram-sha-256'],
    ])
    expect(postgres.environment).not.toHaveProperty('POSTGRES_HOST_AUTH_METHOD')
  })

  it('opens no port of the machine but that of the service, on loopback', () => {
    expect(services.flatMap(([name, { ports = [] }]) => ports.map(port => `${name} ${port}`))).toEqual([
      'sheaf 127.0.0.1:3000:3000',
    ])
  })

  it('takes base images with a digest from variables', () => {
    const [, base] = /^ARG NODE_IMAGE=(.*)$/m.exec(readFileSync('deploy/Dockerfile', 'utf8')) ?? []
    expect(sheaf.build?.args).toEqual({ NODE_IMAGE: `\${NODE_IMAGE:-${base}}` })
    expect(postgres.image).toMatch(/^\$\{POSTGRES_IMAGE:-postgres:[\w.-]+\}$/)
  })

  it('waits for running requests when it stops the service', () => {
    expect(Number.parseInt(sheaf.stop_grace_period ?? '0', 10)).toBeGreaterThanOrEqual(
      Number(sheaf.environment['DRAIN_DELAY_MS']) / 1000 + 30,
    )
  })
})
