import type { Endpoint } from '../endpoints'
import { writeLiteral } from './literal'
import { writeCamelCase } from './camel-case'
import { NODE_STYLE } from './node'
import { PYTHON_STYLE } from './python'
import { writeSnakeNames } from './python-names'

/** A sample of a client: the name of its tab and the text to copy. */
export interface ClientSample {
  id: string
  name: string
  text: string
}

/** What a sample sends. */
export interface ClientRequest {
  endpoint: Pick<Endpoint, 'slug' | 'command' | 'commandFile' | 'files' | 'sampleFiles' | 'responseName'>
  /** The options, or the body of an endpoint without a file. */
  options: Record<string, unknown>
  origin: string
}

/** Returns samples with the clients for TypeScript and Python, and with the command line. */
export function writeClientSamples(request: ClientRequest): ClientSample[] {
  return [
    { id: 'typescript', name: 'TypeScript', text: writeTypeScript(request) },
    { id: 'python', name: 'Python', text: writePython(request) },
    { id: 'cli', name: 'CLI', text: writeCommand(request) },
  ]
}

function writeTypeScript({ endpoint, options, origin }: ClientRequest): string {
  const method = writeCamelCase(endpoint.slug)
  const args = listArguments(endpoint, options).map(value => writeLiteral(value, NODE_STYLE))
  return `import { Sheaf } from '@sheaf/client'

const sheaf = new Sheaf({ baseUrl: ${writeLiteral(origin, NODE_STYLE)} })
const result = await sheaf.${method}(${args.join(', ')})
await result.save(${writeLiteral(endpoint.responseName, NODE_STYLE)})
console.log(result.creditBalance, 'credits left')`
}

function writePython({ endpoint, options, origin }: ClientRequest): string {
  const method = endpoint.slug.replaceAll('-', '_')
  const args = listArguments(endpoint, options).map(value => writeLiteral(writeSnakeNames(value), PYTHON_STYLE))
  return `from sheaf import Sheaf

sheaf = Sheaf(base_url=${writeLiteral(origin, PYTHON_STYLE)})
result = sheaf.${method}(${args.join(', ')})
result.save(${writeLiteral(endpoint.responseName, PYTHON_STYLE)})
print(result.credit_balance, 'credits left')`
}

/** The files and the options, if there are any. */
function listArguments({ files, sampleFiles }: ClientRequest['endpoint'], options: Record<string, unknown>): unknown[] {
  const inputs: unknown[] = { one: sampleFiles.slice(0, 1), many: [[...sampleFiles]], html: [], none: [] }[files]
  return [...inputs, ...(Object.keys(options).length > 0 ? [options] : [])]
}

function writeCommand({
  endpoint: { command, commandFile, files, sampleFiles, responseName },
  options,
  origin,
}: ClientRequest): string {
  const { url, ...others } = options
  const output = `-o ${quote(responseName)}`
  const start = `export SHEAF_BASE_URL=${quote(origin)}\nsheaf ${command}`
  if (files === 'none') return `${start} - ${output} <<'JSON'\n${JSON.stringify(options, null, 2)}\nJSON`
  if (commandFile) {
    const { [commandFile]: list, ...flags } = options
    const words = ['-', ...sampleFiles.map(quote), ...Object.entries(flags).map(writeFlag), output]
    return `${start} ${words.join(' ')} <<'JSON'\n${JSON.stringify(list, null, 2)}\nJSON`
  }
  const [inputs, flags] = files === 'html' && typeof url === 'string' ? [[url], others] : [sampleFiles, options]
  const words = [...inputs.map(quote), ...Object.entries(flags).map(writeFlag), output]
  const line = `${start} ${words.join(' ')}`
  return line.length - start.length + `sheaf ${command}`.length <= WIDTH ? line : `${start} ${words.join(' \\\n  ')}`
}

const WIDTH = 88

/** A flag of the command. Lists and objects are JSON. */
function writeFlag([name, value]: [string, unknown]): string {
  const flag = name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)
  if (typeof value === 'boolean') return `--${value ? '' : 'no-'}${flag}`
  return `--${flag} ${quote(typeof value === 'string' ? value : JSON.stringify(value))}`
}

/** A word of a POSIX shell. */
function quote(text: string): string {
  return /^[\w./:@%+=-]+$/.test(text) && !text.startsWith('-') ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
}
