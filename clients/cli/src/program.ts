import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Command, Option } from 'commander'
import { ENDPOINTS_WITH_VERDICT, readVerdict, type Verdict } from '../../../lib/agents/verdicts'
import { SheafApiError, SheafConnectionError, type SheafResult } from '../../typescript/src/sheaf'
import { VERSION } from '../../typescript/src/version'
import { type Operation, OPERATIONS } from './catalog'
import { SHELLS, writeCompletion } from './completion'
import { describeFailure, EXIT, SaveError, UsageError } from './failure'
import { type Flag, listFlags, readJson } from './flags'
import { type Input, listInputs, readText, STANDARD } from './inputs'
import { describeResult, isFolder, openTarget, saveResult, type Target, tellResult } from './output'
import { Progress } from './progress'
import { predictNames } from './result-names'
import { createSender } from './sender'
import { readSteps, STEPS_HELP } from './steps'

/** Flags of every endpoint. */
interface CommonFlags {
  saveAs?: string
  force?: boolean
  skipExisting?: boolean
  exitCode?: boolean
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
        'Exit codes: 0 done, 1 refused or failed, 2 wrong arguments, 3 no connection.\n' +
        'Node.js uses HTTP_PROXY, HTTPS_PROXY and NO_PROXY if NODE_USE_ENV_PROXY is 1 (Node.js 22.21 or later).',
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

/** The names and the descriptions of the arguments. */
function listArguments({ files, fileCount: { least, most }, commandFile }: Operation): [string, string][] {
  if (commandFile)
    return [
      ['<steps>', 'A JSON file with the list of steps, or with an object that has `steps`. `-` is standard input.'],
      ['[files...]', 'The files that the steps read. Steps use their names without folders.'],
    ]
  switch (files) {
    case 'one':
      return [['<files...>', 'One file, or several that are processed one after the other. `-` is standard input.']]
    case 'many':
      return [
        [
          '<files...>',
          `${least === most ? `${least} files` : `${least} or more files`}, in this order. \`-\` is standard input.`,
        ],
      ]
    case 'html':
      return [['[page]', 'A URL, or a file (.html, .svg, .txt, .zip). `-` is HTML from standard input.']]
    case 'none':
      return [['[body]', 'A file with the body of the request as JSON. `-` is standard input.']]
  }
}

function addOperation(program: Command, operation: Operation): void {
  const flags = listFlags(operation)
  const command = program
    .command(operation.command)
    .summary(operation.title)
    .description(operation.summary.replaceAll('`', ''))
  if (operation.command !== operation.id) command.alias(operation.id)
  for (const [name, description] of listArguments(operation)) command.argument(name, description)
  if (operation.commandFile) command.addHelpText('after', STEPS_HELP)
  for (const { option } of flags) command.addOption(option)
  command
    .addOption(
      new Option('-o, --save-as <path>', 'Where to save the file. A folder keeps its name. `-` is standard output.'),
    )
    .option('--force', 'Replaces an existing file, if its name comes from the response.')
    .option('--skip-existing', 'Skips a file if its result exists.')
    .option('--options <file>', 'A JSON file with options. Flags replace its values. `-` is standard input.')
    .option('--strict', 'Refuses unknown options.')
    .option('--idempotency-key <key>', 'Identifies the request, so that a repetition costs nothing.')
    .option('--json', 'Prints the result as JSON.')
    .option('--quiet', 'Prints only errors.')
  if (ENDPOINTS_WITH_VERDICT.includes(operation.id))
    command.option('--exit-code', 'Ends with 1 if the result reports something wrong.')
  command.action(async (...given: unknown[]) => {
    // Commander calls this with the arguments, the flags and the command.
    const args = given.slice(0, -2).flatMap(arg => (arg ?? []) as string | string[])
    await runOperation(program, operation, { args, flags, values: given.at(-2) as Invocation['values'] })
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
    throw new UsageError(`With several files, -o must be a folder that ends in a slash. Got "${values.saveAs}".`)
  const planned = await planTargets(operation, requests, values)
  const skipped = requests.length - planned.length
  if (skipped > 0 && !values.quiet && !values.json)
    process.stderr.write(`Skipped ${skipped} ${skipped === 1 ? 'file' : 'files'} with results.\n`)
  const key = values.idempotencyKey ?? crypto.randomUUID()
  let done = 0
  for (const plan of planned) {
    // A repetition of the command has the same key for the same file.
    const [input] = plan.inputs
    const idempotencyKey = requests.length === 1 || !input ? key : `${key}-${hash(input.path)}`
    try {
      await runRequest(program, operation, { plan, values, idempotencyKey })
      done += 1
    } catch (error) {
      if (requests.length === 1) throw error
      reportFailure(error, values.json === true, input?.path)
      if (isLasting(error)) break
    }
  }
  if (done < planned.length) reportUnfinished({ unfinished: planned.length - done, of: requests.length, key }, values)
}

/** Whether the other files would fail in the same way. */
function isLasting(error: unknown): boolean {
  return error instanceof SheafConnectionError || (error instanceof SheafApiError && [401, 402].includes(error.status))
}

function reportUnfinished(
  { unfinished, of, key }: { unfinished: number; of: number; key: string },
  { json }: CommonFlags,
): void {
  const message =
    `${unfinished} of ${of} files were not processed. Repeat the command with --skip-existing --idempotency-key ${key}. ` +
    'What was paid for costs nothing again within 24 hours.'
  const details = { error: 'unfinished', message, unfinished, idempotencyKey: key }
  process.stderr.write(json ? `${JSON.stringify(details)}\n` : `sheaf: ${message}\n`)
}

const hash = (path: string) => createHash('sha256').update(path).digest('hex').slice(0, 16)

async function runRequest(
  program: Command,
  operation: Operation,
  { plan, values, idempotencyKey }: { plan: PlannedRequest; values: CommonFlags; idempotencyKey: string },
): Promise<void> {
  const progress = new Progress(values.quiet === true || values.json === true)
  try {
    const sender = createSender(readClientSettings(program), (sent, total) => progress.noteSent(sent, total))
    const files = await Promise.all(plan.inputs.map(input => input.open()))
    const settings = { strict: values.strict === true, idempotencyKey }
    const result = await sender.send(operation, { files, options: plan.options }, settings)
    const verdict = await findVerdict(operation, result)
    const file = await saveResult(result, plan.target).catch((error: unknown) => {
      if (error instanceof SheafConnectionError) throw error
      throw new SaveError(
        error,
        `Repeat the command within 24 hours with --idempotency-key ${idempotencyKey}, which is free.`,
      )
    })
    progress.end()
    report(values, { text: await tellResult(result, file, verdict?.text), facts: describeResult(result, file), file })
    if (values.exitCode && verdict && !verdict.isGood) process.exitCode = EXIT.failed
  } finally {
    progress.end()
  }
}

async function findVerdict({ id }: Operation, result: SheafResult): Promise<Verdict | undefined> {
  if (!ENDPOINTS_WITH_VERDICT.includes(id)) return undefined
  const report = result.contentType === 'application/json' ? await result.json() : undefined
  return readVerdict(id, { header: name => result.headers.get(name) ?? undefined, report: () => report })
}

const isStandard = ({ path }: Input) => path === STANDARD

interface RequestPlan {
  inputs: Input[]
  options: Record<string, unknown>
}

interface PlannedRequest extends RequestPlan {
  target: Target
}

/** Finds where each result goes, before anything is sent. Throws for the first one that can't be saved. */
async function planTargets(
  operation: Operation,
  requests: RequestPlan[],
  { saveAs, force, skipExisting }: CommonFlags,
): Promise<PlannedRequest[]> {
  const planned: PlannedRequest[] = []
  const taken = new Map<string, string>()
  for (const request of requests) {
    const [input] = request.inputs
    const isToStandard = saveAs === undefined && !process.stdout.isTTY && request.inputs.some(isStandard)
    const names = predictNames(operation, { input: input?.path, options: request.options })
    const flags = { isForced: force === true, skipsExisting: skipExisting === true }
    const target = await openTarget(isToStandard ? STANDARD : saveAs, names, flags)
    if (!target) continue
    if (names.likely !== undefined && target.name === undefined && input) {
      const path = join(target.folder, names.likely)
      const other = taken.get(path)
      if (other !== undefined)
        throw new UsageError(
          `"${other}" and "${input.path}" would both be saved as "${path}". Process them one by one.`,
        )
      taken.set(path, input.path)
    }
    planned.push({ ...request, target })
  }
  return planned
}

async function listRequests(
  { files: kind, hasOptionsField, commandFile }: Operation,
  args: string[],
  options: Record<string, unknown>,
): Promise<RequestPlan[]> {
  const [first, ...others] = args
  if (commandFile && first !== undefined) {
    if (first === STANDARD && others.includes(STANDARD)) throw new UsageError('Standard input can be read only once.')
    const fields = await readSteps(first, others)
    return [{ inputs: listInputs(others), options: { ...fields, ...options } }]
  }
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
