import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { readConfig } from '../../lib/config'
import { readCopy, readDockerfile, readEnvironment, readWords, type Stage } from './dockerfile'

const stages = readDockerfile(readFileSync('deploy/Dockerfile', 'utf8'))
const runtime = stages.at(-1) as Stage // A Dockerfile has at least one stage.
/** An image with an exact tag, or with the digest that a registry has for it. */
const IMAGE = /^[a-z]+:[\w.-]+(@sha256:[0-9a-f]{64})?$/
const copies = (stage: Stage) => stage.instructions.filter(({ name }) => name === 'COPY')
const own = (stage: Stage) =>
  copies(stage)
    .filter(({ flags }) => flags['from'] === undefined)
    .flatMap(one => readCopy(one).sources)
const last = (name: string) => runtime.instructions.findLast(one => one.name === name)
const allowed = readFileSync('.dockerignore', 'utf8')
  .split('\n')
  .filter(line => line.startsWith('!'))
  .map(line => line.slice(1))

/** Inputs of a build's name. Without one of them, the service does not find its build. */
const sources = [
  ...(/const SOURCES = \[([^\]]*)\]/.exec(readFileSync('lib/build/project.mjs', 'utf8'))?.[1] ?? '').matchAll(
    /'([^']+)'/g,
  ),
]
  .map(([, name = '']) => name)
  .filter(name => existsSync(name))

describe('the image', () => {
  it.each(stages.map(stage => [stage.name, stage] as const))(
    'copies in stage %s only files that exist and are in the build context',
    (_, stage) => {
      const missing = own(stage).filter(path => !existsSync(path) || !allowed.includes(path.replace(/\/$/, '')))
      expect(missing).toEqual([])
      for (const { flags } of copies(stage))
        if (flags['from'] !== undefined) expect(stages.map(({ name }) => name)).toContain(flags['from'])
    },
  )

  it('has no files in the build context that no stage copies', () => {
    const copied = new Set(stages.flatMap(own))
    expect(allowed.filter(path => !copied.has(path))).toEqual([])
  })

  it("has all inputs of a build's name, in the build stage and at runtime", () => {
    expect(sources.length).toBeGreaterThan(5)
    const [packages, build] = stages
    expect(sources.filter(path => ![...own(packages as Stage), ...own(build as Stage)].includes(path))).toEqual([])
    expect(sources.filter(path => !own(runtime).includes(path))).toEqual([])
  })

  it('uses a supported Node.js version, the same in the build stage and at runtime', () => {
    const bases = stages.map(({ from }) => from).filter(from => !stages.some(({ name }) => name === from))
    const [base = '', ...others] = new Set(bases)
    expect(others).toEqual([])
    expect(base).toMatch(IMAGE)
    // Even versions get fixes for 30 months after their first year. Version 24 gets them until April 2028.
    expect(Number(/^node:(\d+)-bookworm-slim/.exec(base)?.[1])).toBe(24)
  })

  it('takes another base from one build argument, such as the same one with a digest', () => {
    expect(stages.filter(({ from }) => from.startsWith('node:')).length).toBe(2)
    const pinned = `node:24-bookworm-slim@sha256:${'a'.repeat(64)}`
    expect(pinned).toMatch(IMAGE)
    const text = readFileSync('deploy/Dockerfile', 'utf8').replace(/^ARG NODE_IMAGE=.*$/m, `ARG NODE_IMAGE=${pinned}`)
    expect(readDockerfile(text).filter(({ from }) => from === pinned).length).toBe(2)
  })

  it('never runs pages without the sandbox of the browser', () => {
    const [environment] = runtime.instructions.filter(({ name }) => name === 'ENV')
    expect(environment && readEnvironment(environment)['BROWSER_SANDBOX']).toBe('required')
  })

  it('runs as an unprivileged user, and has a health check', () => {
    expect(last('USER')?.rest).toMatch(/^[1-9]\d+:[1-9]\d+$/)
    const check = last('HEALTHCHECK')?.rest ?? ''
    const [, path = ''] = /\$\{process\.env\.PORT\}(\/[a-z/]+)`/.exec(check) ?? []
    expect(existsSync(`app${path}/route.ts`)).toBe(true)
  })

  it('starts an existing file, without a shell or npm in between', () => {
    const words = readWords(last('CMD') ?? { name: 'CMD', flags: {}, rest: '[]' })
    expect(words).toEqual(['node', 'lib/start/start.mjs'])
    expect(readWords(last('ENTRYPOINT') ?? { name: 'ENTRYPOINT', flags: {}, rest: '[]' })).toEqual(['tini', '--'])
  })

  it('sets variables that the service reads, to valid values', () => {
    const { NODE_ENV, ...variables } = Object.assign(
      {},
      ...runtime.instructions.filter(({ name }) => name === 'ENV').map(readEnvironment),
    ) as Record<string, string>
    expect(NODE_ENV).toBe('production')
    const config: Record<string, unknown> = readConfig(variables)
    for (const [name, value] of Object.entries(variables)) expect(String(config[name])).toBe(value)
    const written = runtime.instructions.filter(({ name }) => name === 'VOLUME').map(({ rest }) => rest)
    expect(written).toEqual([variables['DATA_DIR']])
  })
})

describe('reading a Dockerfile', () => {
  it('joins lines, removes comments, separates flags and fills in build arguments', () => {
    const [stage] = readDockerfile(
      '# x\nARG BASE=a\nFROM ${BASE} AS b\nRUN one \\\n# why\n  && two\nCOPY --from=c --chown=1:1 /x ./y\n',
    )
    expect(stage).toEqual({
      name: 'b',
      from: 'a',
      instructions: [
        { name: 'RUN', flags: {}, rest: 'one && two' },
        { name: 'COPY', flags: { from: 'c', chown: '1:1' }, rest: '/x ./y' },
      ],
    })
  })
})
