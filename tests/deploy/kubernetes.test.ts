import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { BlockList } from 'node:net'
import { describe, expect, it } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { readConfig } from '../../lib/config'
import { isRead } from './variables'

type Labels = Record<string, string>

interface Probe {
  httpGet: { path: string; port: string }
  timeoutSeconds?: number
}

interface Container {
  name: string
  image: string
  args?: string[]
  ports: { name: string; containerPort: number }[]
  env?: { name: string; value?: string; valueFrom?: { fieldRef: { fieldPath: string } } }[]
  envFrom?: { configMapRef?: { name: string }; secretRef?: { name: string } }[]
  startupProbe: Probe
  readinessProbe: Probe
  livenessProbe: Probe
  resources: Record<'requests' | 'limits', { cpu: string; memory: string }>
  securityContext: {
    allowPrivilegeEscalation: boolean
    readOnlyRootFilesystem: boolean
    capabilities: { drop: string[] }
  }
  volumeMounts: { name: string; mountPath: string }[]
}

interface Peer {
  podSelector?: { matchLabels: Labels }
  namespaceSelector?: { matchLabels: Labels }
  ipBlock?: { cidr: string; except?: string[] }
}

interface Rule {
  from?: Peer[]
  to?: Peer[]
  ports?: { port: string | number; endPort?: number }[]
}

interface Resource {
  kind: string
  metadata: { name: string; labels: Labels }
  data: Record<string, string>
  stringData: Record<string, string>
  spec: {
    replicas: number
    selector: Labels & { matchLabels: Labels }
    podSelector: { matchLabels: Labels }
    template: {
      metadata: { labels: Labels; annotations?: Labels }
      spec: {
        terminationGracePeriodSeconds: number
        automountServiceAccountToken: boolean
        securityContext: { runAsNonRoot: boolean; runAsUser: number }
        containers: [Container]
        volumes: { name: string; emptyDir?: { sizeLimit: string; medium?: string } }[]
      }
    }
    ports: { port: number; targetPort: string }[]
    maxUnavailable: number
    minReplicas: number
    scaleTargetRef: { kind: string; name: string }
    metrics: { type: string; pods: { metric: { name: string } } }[]
    policyTypes: string[]
    ingress: Rule[]
    egress: Rule[]
  }
}

const FOLDER = 'deploy/kubernetes'
const read = (file: string) =>
  parseAllDocuments(readFileSync(`${FOLDER}/${file}`, 'utf8')).map(document => document.toJS() as unknown)
const [kustomization] = read('kustomization.yaml') as unknown as [{ resources: string[] }]
const resources = kustomization.resources.flatMap(read) as unknown as Resource[]
const ofKind = (kind: string) => resources.filter(one => one.kind === kind)
const find = (kind: string, name: string) => {
  const found = ofKind(kind).find(({ metadata }) => metadata.name === name)
  if (!found) throw new Error(`there is no ${kind} ${name}`)
  return found
}
const deployments = ofKind('Deployment').map(one => [one.metadata.name, one] as const)
const matches = (labels: Labels) =>
  deployments.filter(([, { spec }]) =>
    Object.entries(labels).every(([name, value]) => spec.template.metadata.labels[name] === value),
  )
const { data: configured } = find('ConfigMap', 'sheaf')
const { stringData: secrets } = find('Secret', 'sheaf')
const pod = find('Deployment', 'sheaf').spec.template.spec
const [container] = pod.containers

describe('the manifests', () => {
  it('are all in the kustomization, with unique names', () => {
    expect(
      readdirSync(FOLDER)
        .filter(file => file !== 'kustomization.yaml')
        .sort(),
    ).toEqual([...kustomization.resources].sort())
    const names = resources.map(({ kind, metadata }) => `${kind} ${metadata.name}`)
    expect(new Set(names).size).toBe(names.length)
    expect([...new Set(resources.map(({ kind }) => kind))].sort()).toEqual([
      'ConfigMap',
      'Deployment',
      'HorizontalPodAutoscaler',
      'NetworkPolicy',
      'PodDisruptionBudget',
      'Secret',
      'Service',
    ])
  })

  it.each(deployments)('%s has limits, no privileges, and a read-only image', (_, { spec: { template, selector } }) => {
    const { spec } = template
    const [
      {
        resources: { requests, limits },
        securityContext,
        volumeMounts,
        ports,
      },
    ] = spec.containers
    for (const kind of [requests, limits])
      expect([kind.cpu, kind.memory].map(String)).toEqual([
        expect.stringMatching(/^\d+m?$/),
        expect.stringMatching(/^\d+[MG]i$/),
      ])
    expect(securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    })
    expect([
      spec.securityContext.runAsNonRoot,
      spec.securityContext.runAsUser,
      spec.automountServiceAccountToken,
    ]).toEqual([true, 10001, false])
    expect(volumeMounts.map(({ name }) => name).sort()).toEqual(spec.volumes.map(({ name }) => name).sort())
    expect(volumeMounts.map(({ mountPath }) => mountPath)).toContain('/tmp')
    expect(template.metadata.labels).toMatchObject(selector.matchLabels)
    expect(new Set(ports.map(({ containerPort }) => containerPort)).size).toBe(ports.length)
  })

  it.each(deployments)('%s has probes on its ports', (name, { spec }) => {
    const [{ startupProbe, readinessProbe, livenessProbe, ports }] = spec.template.spec.containers
    const probes = [startupProbe, readinessProbe, livenessProbe]
    for (const { httpGet } of probes) expect(ports.map(one => one.name)).toContain(httpGet.port)
    if (name === 'sheaf') {
      expect(probes.map(({ httpGet }) => httpGet.path)).toEqual(['/api/health', '/api/ready', '/api/health'])
      for (const { httpGet, timeoutSeconds = 1 } of probes) {
        expect(existsSync(`app${httpGet.path}/route.ts`)).toBe(true)
        // Both probes query the database. A statement may take this long (db/client.ts).
        expect(timeoutSeconds).toBeGreaterThan(4.5)
      }
    } else
      for (const { httpGet } of probes)
        expect(readFileSync('engines/webpage/browser/remote-browser.ts', 'utf8')).toContain(`'${httpGet.path}'`)
  })

  it('end a pod after its requests', () => {
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(Number(configured['DRAIN_DELAY_MS']) / 1000 + 30)
  })

  it('set variables that the service reads, to valid values', () => {
    expect(container.envFrom).toEqual([{ configMapRef: { name: 'sheaf' } }, { secretRef: { name: 'sheaf' } }])
    const own = (container.env ?? []).map(({ name, value }) => [name, value ?? '10.1.2.3'] as const)
    const all = { ...configured, ...secrets, ...Object.fromEntries(own) }
    expect(Object.keys(all).filter(name => !isRead(name))).toEqual([])
    const config = readConfig(all)
    expect(config.TRUSTED_PROXIES).toBeGreaterThan(0)
    expect(config.ENGINES).toBe(Number(container.resources.limits.cpu))
  })

  // The formulas of docs/self-hosting.md, Memory and disk.
  it('have the memory and the disk space that the service can use', () => {
    const config = readConfig({ ...configured, ...secrets, EGRESS_HOST: '10.1.2.3' })
    const { BODY_MEMORY_BYTES, MAX_BODY_BYTES, SMALL_BODY_BYTES, ENGINES, ENGINE_RSS_MB, WEB_PAGES } = config
    const bodies = (BODY_MEMORY_BYTES + MAX_BODY_BYTES + 64 * SMALL_BODY_BYTES) / 2 ** 20
    const memory = 400 + bodies + 64 + (ENGINES + 1) * ENGINE_RSS_MB + 1536
    expect(1024 * Number.parseInt(container.resources.limits.memory, 10)).toBeGreaterThanOrEqual(memory)
    const outputs = (config.OUTPUT_SPOOL_BYTES + (ENGINES + 1) * config.MAX_OUTPUT_BYTES) / 2 ** 20
    const disk = outputs + (WEB_PAGES + 1) * 250 + 64
    const data = pod.volumes.find(({ name }) => name === 'data')
    expect(container.volumeMounts).toContainEqual({ name: 'data', mountPath: '/data' })
    expect(1024 * Number.parseInt(data?.emptyDir?.sizeLimit ?? '', 10)).toBeGreaterThanOrEqual(disk)
  })

  it('connect the service to its browser', () => {
    const endpoint = new URL(configured['BROWSER_WS_ENDPOINT'] ?? '')
    const service = find('Service', endpoint.hostname)
    expect(service.spec.ports.map(({ port }) => String(port))).toEqual([endpoint.port])
    const [browser] = find('Deployment', 'sheaf-browser').spec.template.spec.containers
    expect(browser.env).toEqual([{ name: 'PORT', value: String(browser.ports[0]?.containerPort) }])
    expect(browser.args?.every(word => word === 'node' || existsSync(word))).toBe(true)
    expect(browser.image).toBe(container.image)
  })

  it.each(ofKind('Service').map(one => [one.metadata.name, one] as const))(
    'Service %s finds its pods and their port',
    (_, { spec }) => {
      const found = matches(spec.selector)
      expect(found.length).toBe(1)
      for (const { targetPort } of spec.ports)
        expect(found[0]?.[1].spec.template.spec.containers[0].ports.map(({ name }) => name)).toContain(targetPort)
    },
  )

  it('keep enough pods if a node is drained, and add pods if requests wait', () => {
    for (const [name, deployment] of deployments) {
      const { spec } = find('PodDisruptionBudget', name)
      expect(matches(spec.selector.matchLabels).map(([found]) => found)).toEqual([name])
      expect(spec.maxUnavailable).toBeLessThan(deployment.spec.replicas)
    }
    const { spec } = find('HorizontalPodAutoscaler', 'sheaf')
    expect([spec.scaleTargetRef.kind, spec.scaleTargetRef.name, spec.minReplicas]).toEqual([
      'Deployment',
      'sheaf',
      find('Deployment', 'sheaf').spec.replicas,
    ])
    expect(spec.metrics.map(({ type, pods }) => [type, pods.metric.name])).toEqual([['Pods', 'sheaf_calls_waiting']])
    expect(find('Deployment', 'sheaf').spec.template.metadata.annotations?.['prometheus.io/port']).toBe(
      configured['METRICS_PORT'],
    )
    expect(container.ports.map(({ containerPort }) => String(containerPort))).toContain(configured['METRICS_PORT'])
  })
})

/**
 * IP ranges that no page may reach: private, shared, loopback, link-local (with cloud metadata), multicast (RFC 6890).
 */
const PRIVATE = [
  '10.0.0.1',
  '10.255.255.254',
  '100.64.0.1',
  '127.0.0.1',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.254',
  '192.168.1.1',
  '0.0.0.0',
  '224.0.0.1',
  '::1',
  'fc00::1',
  'fd12:3456::1',
  'fe80::1',
  'ff02::1',
  '64:ff9b::a00:1',
]

describe('the network policies', () => {
  it.each(ofKind('NetworkPolicy').map(one => [one.metadata.name, one] as const))(
    '%s selects existing pods, in both directions',
    (name, { spec }) => {
      expect(matches(spec.podSelector.matchLabels).map(([found]) => found)).toEqual([name])
      expect(spec.policyTypes).toEqual(['Ingress', 'Egress'])
      for (const { podSelector } of [...spec.ingress, ...spec.egress].flatMap(({ from = [], to = [] }) => [
        ...from,
        ...to,
      ]))
        if (podSelector) expect(matches(podSelector.matchLabels).length).toBe(1)
    },
  )

  it('let only the monitoring namespace reach the metrics, which have no password', () => {
    const { ingress } = find('NetworkPolicy', 'sheaf').spec
    const [metrics, http] = ['metrics', 'http'].map(name => container.ports.find(port => port.name === name))
    const opens = ({ ports }: Rule, { name, containerPort }: { name: string; containerPort: number }) =>
      (ports ?? [{ port: 0, endPort: 65_535 }]).some(({ port, endPort }) =>
        typeof port === 'string' ? port === name : port <= containerPort && containerPort <= (endPort ?? port),
      )
    const sourcesOf = (port = { name: '', containerPort: 0 }) =>
      ingress.filter(rule => opens(rule, port)).map(({ from }) => from)
    expect(sourcesOf(metrics)).toEqual([
      [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'monitoring' } } }],
    ])
    expect(sourcesOf(http)).toEqual([undefined])
  })

  it('let the browser reach the proxies of the service and nothing else', () => {
    const { egress } = find('NetworkPolicy', 'sheaf-browser').spec
    expect(egress.flatMap(({ to }) => to)).toEqual([
      { podSelector: { matchLabels: { 'app.kubernetes.io/name': 'sheaf' } } },
    ])
    const ports = egress.flatMap(({ ports = [] }) => ports)
    expect(ports.length).toBe(1)
    for (const { containerPort } of container.ports) expect(Number(ports[0]?.port) > containerPort).toBe(true)
  })

  it.each(PRIVATE)("don't let the service reach %s through a rule for public IP addresses", address => {
    const family = address.includes(':') ? 'ipv6' : 'ipv4'
    const blocks = find('NetworkPolicy', 'sheaf')
      .spec.egress.filter(({ ports }) => ports === undefined)
      .flatMap(({ to = [] }) => to)
      .flatMap(({ ipBlock }) => ipBlock ?? [])
      .filter(({ cidr }) => cidr.includes(':') === (family === 'ipv6'))
    expect(blocks.length).toBe(1)
    const closed = new BlockList()
    for (const range of blocks[0]?.except ?? [])
      closed.addSubnet(range.split('/')[0] ?? '', Number(range.split('/')[1]), family)
    expect(closed.check(address, family)).toBe(true)
    expect(closed.check(family === 'ipv4' ? '93.184.216.34' : '2606:2800:220:1::1', family)).toBe(false)
  })
})
