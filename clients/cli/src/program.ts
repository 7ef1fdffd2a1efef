import { existsSync } from 'node:fs'
import { Command, Option } from 'commander'
import type { RequestSettings } from '../../typescript/src/sheaf'
import { VERSION } from '../../typescript/src/version'
import { type Operation, OPERATIONS } from './catalog'
import { SHELLS, writeCompletion } from './completion'
import { describeFailure, EXIT, SaveError, UsageError } from './failure'
import { type Flag, listFlags, readJson } from './flags'
import { type Input, listInputs, readText, STANDARD } from './inputs'
import { describeResult, isFolder, saveResult, tellResult } from './output'
import { Progress } from './progress'
import { createSender } from './sender'

/** Flags of every endpoint. */
interface CommonFlags {
  saveAs?: string
  force?: boolean
  options?: string
  strict?: boolean
  json?: boolean
  quiet?: boolean
  idempotencyKey?: string
}

const USER_AGENT = `sheaf-cli/${VERSION}`

/** Creates the program with a command for each endpoint. */
export function createProgram(): Command {
  const program = new Command('sheaf')
    .description('The Sheaf document API: PDF tools, web pages and invoices. Each file costs one credit.')
    .version(VERSION)
    .option('--base-url <url>', 'URL of the Sheaf server. Default: SHEAF_BASE_URL, or http://localhost:3000.')
    .addHelpText(
      'after',
      '\nThe API key is read from the environment variable SHEAF_API_KEY.\n' +
        'Exit codes: 0 done, 1 refused or failed, 2 wrong arguments, 3 no connection.',
    )
    .showSuggestionAfterError()
    .exitOverride()
  for (const operation of OPERATIONS) addOperation(program, operation)
  program
    .command('credits')
    .description('Prints the balance of the account. Costs nothing.')
    .action(async () => {
      const { creditBalance } = await createSender(readClientSettings(program)).credits()
      process.stdout.write(`${creditBalance}\n`)
    })
  program
    .command('mcp')
    .description('Starts an MCP server on standard input and output, for agents. Files stay on this machine.')
    .option('--allow <folder...>', 'Folders with files that the agent may read and write.')
    .action(async ({ allow = [] }: { allow?: string[] }) => {
      const { serveMcp } = await import('./mcp/serve-mcp') // The other commands start faster without it.
      await serveMcp({ folders: allow, ...readClientSettings(program) })
    })
  program
    .command('completion')
    .argument('<shell>', SHELLS.join(', '))
    .description('Prints a completion script, such as for `source <(sheaf completion bash)`.')
    .action((shell: string) => void process.stdout.write(writeCompletion(program, shell)))
  return program
}

/** The name and the description of the argument with the files. */
function describeArgument({ files, fileCount: { least, most } }: Operation): [name: string, description: string] {
  switch (files) {
    case 'one':
      return ['<files...>', 'One file, or several that are processed one after the other. `-` is standard input.']
    case 'many':
      return [
        '<files...>',
        `${least === most ? `${least} files` : `${least} or more files`}, in this order. \`-\` is standard input.`,
      ]
    case 'html':
      return ['[page]', 'A URL, or a file (.html, .svg, .txt, .zip). `-` is HTML from standard input.']
    case 'none':
      return ['[body]', 'A file with the body of the request as JSON. `-` is standard input.']
  }
}

function addOperation(program: Command, operation: Operation): void {
  const flags = listFlags(operation)
  const command = program
    .command(operation.command)
    .summary(operation.title)
    .description(operation.summary.replaceAll('`', ''))
    .argument(...describeArgument(operation))
  if (operation.command !== operation.id) command.alias(operation.id)
  for (const { option } of flags) command.addOption(option)
  command
    .addOption(
      new Option('-o, --save-as <path>', 'Where to save the file. A folder keeps its name. `-` is standard output.'),
    )
    .option('--force', 'Replaces an existing file, if its name comes from the response.')
    .option('--options <file>', 'A JSON file with options. Flags replace its values. `-` is standard input.')
    .option('--strict', 'Refuses unknown options.')
    .option('--idempotency-key <key>', 'Identifies the request, so that a repetition costs nothing.')
    .option('--json', 'Prints the result as JSON.')
    .option('--quiet', 'Prints only errors.')
    .action(async (given: string | string[] | undefined, values: Record<string, unknown> & CommonFlags) => {
      await runOperation(program, operation, { args: [given ?? []].flat(), flags, values })
    })
}

interface Invocation {
  args: string[]
  flags: Flag[]
  values: Record<string, unknown> & CommonFlags
}

/** Sends one request, or one for each file. Reports every failure, and sets the exit code. */
async function runOperation(program: Command, operation: Operation, invocation: Invocation): Promise<void> {
  const { values } = invocation
  const options = await readOptions(invocation)
  const requests = await listRequests(operation, invocation.args, options)
  if (requests.length > 1 && values.saveAs !== undefined && !isFolder(values.saveAs))
    throw new UsageError(`With several files, -o must be a folder. Got "${values.saveAs}".`)
  for (const request of requests) {
    const progress = new Progress(values.quiet === true || values.json === true)
    try {
      const sender = createSender(readClientSettings(program), (sent, total) => progress.noteSent(sent, total))
      const files = await Promise.all(request.inputs.map(input => input.open()))
      const settings = { ...readSettings(values), idempotencyKey: values.idempotencyKey ?? crypto.randomUUID() }
      const result = await sender.send(operation, { files, options: request.options }, settings)
      const path = values.saveAs ?? (process.stdout.isTTY || !request.inputs.some(isStandard) ? undefined : STANDARD)
      const file = await saveResult(result, { path, isForced: values.force === true }).catch((error: unknown) => {
        throw new SaveError(
          error,
          `Repeat the command within 24 hours with --idempotency-key ${settings.idempotencyKey}, which is free.`,
        )
      })
      progress.end()
      report(values, { text: await tellResult(result, file), facts: describeResult(result, file), file })
    } catch (error) {
      progress.end()
      if (requests.length === 1) throw error
      reportFailure(error, values.json === true, request.inputs[0]?.path)
    }
  }
}

const isStandard = ({ path }: Input) => path === STANDARD

interface RequestPlan {
  inputs: Input[]
  options: Record<string, unknown>
}

async function listRequests(
  { files: kind, hasOptionsField }: Operation,
  args: string[],
  options: Record<string, unknown>,
): Promise<RequestPlan[]> {
  const [first] = args
  switch (kind) {
    case 'one':
      return listInputs(args).map(input => ({ inputs: [input], options }))
    case 'many':
      return [{ inputs: listInputs(args), options }]
    case 'html':
      if (first === undefined) return [{ inputs: [], options }]
      if (/^https?:\/\//i.test(first)) return [{ inputs: [], options: { ...options, url: first } }]
      if (first === STANDARD) return [{ inputs: [], options: { ...options, html: await readText(first) } }]
      if (!existsSync(first) && /^[\w-]+(\.[\w-]+)+(\/|$)/.test(first))
        throw new UsageError(`Can't find the file "${first}". For a web page, send https://${first}.`)
      return [{ inputs: listInputs([first]), options }]
    case 'none': {
      const body = first === undefined ? {} : (readJson(await readText(first), first) as Record<string, unknown>)
      return [{ inputs: [], options: hasOptionsField ? options : { ...body, ...options } }]
    }
  }
}

async function readOptions({ flags, values }: Invocation): Promise<Record<string, unknown>> {
  const options =
    values.options === undefined
      ? {}
      : (readJson(await readText(values.options), '--options') as Record<string, unknown>)
  if (typeof options !== 'object' || options === null || Array.isArray(options))
    throw new UsageError('--options must be a file with a JSON object.')
  const done = new Set<string>()
  for (const { key, apply } of flags) {
    if (values[key] === undefined || done.has(key)) continue
    done.add(key)
    await apply(options, values[key])
  }
  return options
}

function readSettings({ strict }: CommonFlags): RequestSettings {
  return strict ? { strict } : {}
}

function readClientSettings(program: Command): { baseUrl?: string; userAgent: string } {
  const { baseUrl } = program.opts<{ baseUrl?: string }>()
  return { userAgent: USER_AGENT, ...(baseUrl !== undefined && { baseUrl }) }
}

function report(
  { json, quiet }: CommonFlags,
  { text, facts, file }: { text: string; facts: Record<string, unknown>; file: string },
): void {
  if (json) (file === STANDARD ? process.stderr : process.stdout).write(`${JSON.stringify(facts)}\n`)
  else if (!quiet) process.stderr.write(`${text}\n`)
}

/** Prints an error and sets the exit code. */
export function reportFailure(error: unknown, isJson: boolean, file?: string): void {
  const { exitCode, message, details } = describeFailure(error)
  process.stderr.write(
    isJson
      ? `${JSON.stringify({ ...(file !== undefined && { file }), ...details })}\n`
      : `sheaf: ${file === undefined ? '' : `${file}: `}${message}\n`,
  )
  process.exitCode = exitCode === EXIT.done ? EXIT.failed : exitCode
}
