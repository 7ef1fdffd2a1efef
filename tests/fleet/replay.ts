import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, cpSync, existsSync, mkdirSync, realpathSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Instruction, readCopy, readEnvironment, readWords, type Stage } from '../deploy/dockerfile'

/** The runtime settings of an image. */
export interface Image {
  root: string
  environment: Record<string, string>
  workdir: string
  user: string
  entrypoint: string[]
  command: string[]
  healthcheck: string[]
  volumes: string[]
}

const STEP_MS = 15 * 60_000
const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'
const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt'
/** The path at which a stage reads the machine's CA bundle. */
const OWN_CERTIFICATES = '/etc/of-the-machine.crt'
/** For installation only: steps use the machine's download cache, if it has one. */
const NPM_CACHE = '/root/.npm'

/** System programs that a replay requires and this machine lacks. */
export function listMissing(): string[] {
  const programs = ['debootstrap', 'unshare', 'chroot', 'mount', 'cp'].filter(
    name => spawnSync('sh', ['-c', `command -v ${name}`]).status !== 0,
  )
  return [...programs, ...(process.getuid?.() === 0 ? [] : ['root']), ...(findNpm() === undefined ? ['npm'] : [])]
}

/**
 * Makes a root file system like that of node:*-bookworm-slim: Debian's smallest variant by debootstrap, with this
 * machine's Node.js and npm. It isn't a copy of that image, and other differences are not compared. An existing Debian
 * is reused.
 */
export async function makeBase(root: string): Promise<void> {
  if (!existsSync(join(root, 'etc/debian_version')))
    await run('debootstrap', ['--variant=minbase', 'bookworm', root], {})
  const npm = findNpm()
  if (npm === undefined) throw new Error('npm is not installed beside Node.js')
  copyFileSync(realpathSync(process.execPath), join(root, 'usr/local/bin/node'))
  cpSync(npm, join(root, 'usr/local/lib/node_modules/npm'), { recursive: true, verbatimSymlinks: true })
  for (const name of ['npm', 'npx']) rmSync(join(root, 'usr/local/bin', name), { force: true })
  for (const name of ['npm', 'npx'])
    symlinkSync(`../lib/node_modules/npm/bin/${name}-cli.js`, join(root, 'usr/local/bin', name))
  copyFileSync('/etc/resolv.conf', join(root, 'etc/resolv.conf'))
  if (existsSync(CERTIFICATES)) copyFileSync(CERTIFICATES, join(root, OWN_CERTIFICATES))
}

function findNpm(): string | undefined {
  const found = spawnSync('sh', ['-c', 'command -v npm'], { encoding: 'utf8' }).stdout.trim()
  return found === '' ? undefined : dirname(dirname(realpathSync(found)))
}

/**
 * Runs the instructions of all stages and returns the last stage. Throws an Error with the last output of a failed
 * step.
 */
export async function replay(
  stages: Stage[],
  { base, folder, tell }: { base: string; folder: string; tell(line: string): void },
): Promise<Image> {
  const done = new Map<string, Image>()
  for (const [index, stage] of stages.entries()) {
    const root = join(folder, `stage-${index}`)
    const before = done.get(stage.from)
    const isNeededAgain =
      stages.slice(index).some(({ instructions }) => instructions.some(({ flags }) => flags['from'] === stage.from)) ||
      stages.slice(index + 1).some(({ from }) => from === stage.from)
    if (before !== undefined && !isNeededAgain) renameSync(before.root, root)
    else await run('cp', ['-a', '--reflink=auto', before?.root ?? base, root], {})
    let image: Image = {
      ...(before ?? {
        environment: { PATH },
        workdir: '/',
        user: '0:0',
        entrypoint: [],
        command: [],
        healthcheck: [],
        volumes: [],
      }),
      root,
    }
    for (const instruction of stage.instructions) {
      const since = performance.now()
      image = await follow(instruction, image, done)
      tell(
        `${stage.name}: ${instruction.name} ${instruction.rest.slice(0, 80)} ` +
          `(${((performance.now() - since) / 1000).toFixed(1)} s)`,
      )
    }
    done.set(stage.name, image)
  }
  const last = [...done.values()].at(-1)
  if (last === undefined) throw new Error('the Dockerfile has no stage')
  return last
}

async function follow(instruction: Instruction, image: Image, done: Map<string, Image>): Promise<Image> {
  const { name, rest } = instruction
  switch (name) {
    case 'RUN':
      await run('unshare', enter(image, ['sh', '-c', rest]), {
        ...image.environment,
        HOME: '/root',
        ...(existsSync(join(image.root, OWN_CERTIFICATES)) ? { NODE_EXTRA_CA_CERTS: OWN_CERTIFICATES } : {}),
      })
      return image
    case 'COPY':
      await copy(instruction, image, done)
      return image
    case 'WORKDIR':
      mkdirSync(join(image.root, rest), { recursive: true })
      return { ...image, workdir: rest }
    case 'ENV':
      return { ...image, environment: { ...image.environment, ...readEnvironment(instruction) } }
    case 'USER':
      return { ...image, user: rest }
    case 'VOLUME':
      return { ...image, volumes: [...image.volumes, rest] }
    case 'ENTRYPOINT':
      return { ...image, entrypoint: readWords(instruction) }
    case 'CMD':
      return { ...image, command: readWords(instruction) }
    case 'HEALTHCHECK':
      return { ...image, healthcheck: readWords({ ...instruction, rest: rest.replace(/^CMD /, '') }) }
    case 'EXPOSE':
      return image // This instruction only informs people.
    default:
      throw new Error(`there is no way here to follow ${name}`)
  }
}

/** Copies as Docker does: the content of a folder, into a target that ends with a slash or is a folder. */
async function copy(instruction: Instruction, image: Image, done: Map<string, Image>): Promise<void> {
  const { sources, target } = readCopy(instruction)
  const from = instruction.flags['from'] === undefined ? process.cwd() : done.get(instruction.flags['from'])?.root
  if (from === undefined) throw new Error(`COPY from ${instruction.flags['from']}, which is no stage`)
  const place = join(image.root, target.startsWith('/') ? target : join(image.workdir, target))
  mkdirSync(target.endsWith('/') ? place : dirname(place), { recursive: true })
  for (const source of sources)
    await run(
      'cp',
      [
        '-a',
        '--reflink=auto',
        '--no-preserve=ownership',
        '-T',
        join(from, source),
        target.endsWith('/') ? join(place, source) : place,
      ],
      {},
    )
}

/** Arguments of unshare for a command in the image, as root, with mounts that end with the command. */
function enter({ root, workdir }: Image, command: string[]): string[] {
  const cache = existsSync(NPM_CACHE) ? `mkdir -p "$1${NPM_CACHE}"; mount --bind ${NPM_CACHE} "$1${NPM_CACHE}"; ` : ''
  const script =
    `mount -t proc proc "$1/proc"; mount --rbind /dev "$1/dev"; ${cache}root=$1; folder=$2; shift 2; exec chroot ` +
    `"$root" sh -c 'cd "$0" && exec "$@"' "$folder" "$@"`
  return ['--mount', '--pid', '--fork', '--kill-child', 'sh', '-ec', script, 'sh', root, workdir, ...command]
}

/**
 * Arguments of unshare for a command as a container runs it: as the image's user, with a file system that is read-only
 * except for /tmp and the volumes.
 */
export function enterAsContainer({ root, workdir, user, volumes }: Image, command: string[]): string[] {
  const writable = volumes
    .map(volume => `mount --bind "$1${volume}" "$1${volume}"; mount -o remount,rw,bind "$1${volume}"; `)
    .join('')
  const script =
    `mount --bind "$1" "$1"; mount -o remount,ro,bind "$1"; ${writable}mount -t tmpfs -o mode=1777 tmpfs "$1/tmp"; ` +
    'mount -t proc proc "$1/proc"; mount --rbind /dev "$1/dev"; root=$1; user=$2; folder=$3; shift 3; exec chroot ' +
    `--userspec="$user" "$root" sh -c 'cd "$0" && exec "$@"' "$folder" "$@"`
  return ['--mount', 'sh', '-ec', script, 'sh', root, user, workdir, ...command]
}

async function run(program: string, args: string[], environment: Record<string, string>): Promise<void> {
  const env: Record<string, string> = { PATH, LANG: 'C.UTF-8', ...environment }
  // Next.js makes NODE_ENV required in the type. Here the image sets it.
  const child = spawn(program, args, {
    env: env as NodeJS.ProcessEnv,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: STEP_MS,
    killSignal: 'SIGKILL',
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (part: string) => (said = (said + part).slice(-4000)))
  const [code] = (await once(child, 'close')) as [number | null]
  if (code !== 0) throw new Error(`${program} ${args.at(-1)?.slice(0, 200)} ended with ${code}:\n${said}`)
}
