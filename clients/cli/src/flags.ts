import { Option } from 'commander'
import type { Operation, Schema } from './catalog'
import { UsageError } from './failure'
import { readFileOption } from './sender'

/** Writes `blankBetween` as `blank-between`. */
export function kebabCase(name: string): string {
  return name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)
}

/** A flag, and how its texts become options. */
export interface Flag {
  option: Option
  /** The key of its value in commander. */
  key: string
  apply(options: Record<string, unknown>, value: unknown): Promise<void>
}

/** Lists the flags of an endpoint. */
export function listFlags({ schema, commandFlags, commandFile }: Operation): Flag[] {
  const { properties = {} } = schema
  const plain = Object.entries(properties)
    .filter(([name]) => !Object.hasOwn(commandFlags, name) && name !== commandFile)
    .flatMap(([name, property]) => describeFlag(name, property, schema))
  const shortcuts = Object.entries(commandFlags).map(([name, target]) => describeShortcut(name, target, schema))
  return [...shortcuts, ...plain]
}

function describeFlag(name: string, property: Schema, root: Schema): Flag[] {
  const branches = listBranches(property, root)
  const description = describe(property, branches)
  const flag = `--${kebabCase(name)}`
  const apply: Flag['apply'] = async (options, value) => {
    options[name] = await readValue(value, branches, root, flag)
  }
  if (branches.every(({ type }) => type === 'boolean')) {
    const positive = new Option(flag, description)
    const negative = new Option(`--no-${kebabCase(name)}`, `The opposite of ${flag}.`)
    return (property.default === true ? [negative, positive.hideHelp()] : [positive, negative.hideHelp()]).map(
      option => ({ option: option.default(undefined), key: name, apply }),
    )
  }
  const option = new Option(`${flag} <${describeValue(branches)}>`, description)
  if (isRepeatable(branches))
    option.argParser((text: string, before: string[] | undefined) => [...(before ?? []), text])
  return [{ option, key: name, apply }]
}

function describeShortcut(name: string, target: string, root: Schema): Flag {
  const [list = '', member = ''] = target.split('.')
  const items = listBranches(root.properties?.[list] ?? {}, root).flatMap(({ items: entry }) =>
    entry ? listBranches(entry, root) : [],
  )
  const property = items.map(({ properties }) => properties?.[member]).find(one => one !== undefined) ?? {}
  const branches = listBranches(property, root)
  const option = new Option(
    `--${kebabCase(name)} <${member}>`,
    `${describe(property, branches)} Adds an entry to ${list}.${name === list ? ` JSON sets all of ${list}.` : ''}`,
  ).argParser((text: string, before: string[] | undefined) => [...(before ?? []), text])
  return {
    option,
    key: name,
    async apply(options, value) {
      const texts = value as string[] // As the parser of this option collects them.
      const entries = texts.flatMap(text =>
        /^\s*[[{]/.test(text) ? [readJson(text, `--${name}`)].flat() : [{ [member]: text }],
      )
      options[list] = [...((options[list] as unknown[] | undefined) ?? []), ...entries]
    },
  }
}

/** Returns the alternatives of a schema. */
function listBranches(schema: Schema, root: Schema): Schema[] {
  if (schema.$ref) {
    const target = schema.$ref === '#' ? root : root.$defs?.[schema.$ref.replace('#/$defs/', '')]
    return target ? listBranches(target, root) : []
  }
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return choices.flatMap(choice => listBranches(choice, root))
  return Array.isArray(schema.type) ? schema.type.map(type => ({ ...schema, type })) : [schema]
}

const isText = ({ type, enum: values, const: value }: Schema) =>
  type === 'string' || typeof value === 'string' || values?.some(one => typeof one === 'string') === true
const isNumber = ({ type, enum: values }: Schema) =>
  type === 'number' || type === 'integer' || values?.every(one => typeof one === 'number') === true
const isFile = ({ properties }: Schema) => Object.keys(properties ?? {}).join() === 'name,dataBase64'

/** Lists may be given as several flags, unless a text may replace the list. */
function isRepeatable(branches: Schema[]): boolean {
  return branches.some(({ type }) => type === 'array') && !branches.some(isText)
}

/** Reads the text of a flag as the schema wants it. Texts that fit nothing are sent as they are, and the API refuses them. */
async function readValue(value: unknown, branches: Schema[], root: Schema, flag: string): Promise<unknown> {
  if (Array.isArray(value)) return readList(value as string[], branches, root, flag)
  if (typeof value !== 'string') return value
  const isJson = /^\s*[[{]/.test(value) && branches.some(({ type }) => type === 'array' || type === 'object')
  if (isJson) return readJson(value, flag)
  if (branches.some(isFile) && !value.startsWith('data:')) return readFileOption(value)
  const values = branches.flatMap(({ enum: all = [], const: one }) => [...all, ...(one === undefined ? [] : [one])])
  const exact = values.find(one => String(one) === value)
  if (exact !== undefined) return exact
  if (branches.some(isNumber) && value.trim() !== '' && !Number.isNaN(Number(value))) return Number(value)
  if (branches.some(({ type }) => type === 'boolean') && (value === 'true' || value === 'false'))
    return value === 'true'
  return value
}

async function readList(texts: string[], branches: Schema[], root: Schema, flag: string): Promise<unknown[]> {
  const items = branches.flatMap(({ items: entry }) => (entry ? listBranches(entry, root) : []))
  const entries: unknown[] = []
  for (const text of texts) {
    if (/^\s*[[{]/.test(text)) entries.push(...[readJson(text, flag)].flat())
    else for (const part of text.split(',')) entries.push(await readValue(part.trim(), items, root, flag))
  }
  return entries
}

/** Reads JSON. Throws a UsageError with the flag. */
export function readJson(text: string, flag: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new UsageError(`${flag} isn't valid JSON: ${(error as Error).message}`)
  }
}

function describeValue(branches: Schema[]): string {
  if (branches.some(isFile)) return 'file'
  if (branches.every(isNumber)) return 'number'
  if (!branches.some(isText) && branches.some(({ type }) => type === 'object')) return 'json'
  if (isRepeatable(branches)) return 'value,…'
  return 'value'
}

/** The first sentence, and the values. */
function describe({ description, default: fallback }: Schema, branches: Schema[]): string {
  const text = description ?? branches.find(branch => branch.description)?.description ?? ''
  const sentence = (/^.*?[.!?](?=\s|$)/s.exec(text)?.[0] ?? text).replaceAll('`', '')
  const values = branches.flatMap(({ enum: all = [] }) => all)
  return [
    sentence,
    ...(values.length > 0 && values.length <= 20 ? [`Values: ${values.join(', ')}.`] : []),
    ...(fallback === undefined || typeof fallback === 'object' || fallback === ''
      ? []
      : [`Default: ${JSON.stringify(fallback)}.`]),
  ].join(' ')
}
