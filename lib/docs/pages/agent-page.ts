import { firstSentence, OTHER_PAGES } from '../../agents/agent-docs'
import { describeOptions, type OptionRow } from '../describe'
import { type Endpoint, describeOtherResponse, findEndpoint } from '../endpoints'
import { findPage } from './all'
import { writeMarkdown } from './markdown'
import type { PageContext } from './page'

/** Maximum size of a page about an endpoint, because all of it is in the context of a model. */
export const MAX_AGENT_PAGE_BYTES = 4096

/**
 * Returns a page for agents as Markdown, without samples: an endpoint (`rotate-pdf`), members of an option
 * (`pdf-redaction/areas`), or another page. Undefined if there is no such page.
 */
export function writeAgentPage(path: string, context: PageContext): string | undefined {
  const [slug = '', option] = path.split('/')
  const endpoint = findEndpoint(slug)
  if (endpoint) return writeEndpoint(endpoint, option)
  if (!OTHER_PAGES.includes(path)) return undefined
  const page = findPage(path, context)
  return page && writeMarkdown(page, context)
}

/** The most detailed text that is short enough. */
function writeEndpoint(endpoint: Endpoint, option: string | undefined): string | undefined {
  const rows = describeOptions(endpoint.schema).map(row => ({ ...row, name: row.name.replaceAll('[]', '') }))
  const prefix = option === undefined ? '' : `${option}.`
  const members = rows.filter(({ name }) => name.startsWith(prefix))
  if (members.length === 0) return undefined
  const direct = members.filter(({ name }) => !name.slice(prefix.length).includes('.'))
  const linked = direct.filter(({ name }) => rows.some(other => other.name.startsWith(`${name}.`)))
  const links =
    linked.length === 0
      ? ''
      : `\nMembers are on pages such as \`${endpoint.slug}/${linked[0]?.name}\`: ${linked.map(({ name }) => name).join(', ')}.\n`
  const list = (shown: OptionRow[], describe: (row: OptionRow) => string) =>
    shown.map(row => `- ${writeRow({ ...row, name: row.name.slice(prefix.length) })}${describe(row)}\n`).join('')
  const full = ({ description }: OptionRow) => (description === '' ? '' : `: ${description}`)
  const short = ({ description }: OptionRow) => (description === '' ? '' : `: ${firstSentence(description)}`)
  const head = option === undefined ? writeHead(endpoint) : `# \`${option}\` of ${endpoint.title}\n\n`
  const texts = [
    () => list(members, full),
    () => list(direct, full) + links,
    () => list(direct, short) + links,
    () => list(direct, () => '') + links,
    () => `${direct.map(({ name }) => `\`${name.slice(prefix.length)}\``).join(', ')}\n${links}`,
  ]
  const isShort = (text: string) => Buffer.byteLength(text) <= MAX_AGENT_PAGE_BYTES
  return texts.map(write => head + write()).find(isShort)
}

function writeHead(endpoint: Endpoint): string {
  const { title, summary, files, responses, otherResponses, examples } = endpoint
  const [example] = examples
    .map(({ options }) => JSON.stringify(options))
    .toSorted((one, other) => one.length - other.length)
  return [
    `# ${title}`,
    `${summary} The response is \`${responses}\`. ${otherResponses.map(describeOtherResponse).join(' ')}`.trim(),
    ...(files === 'many'
      ? ['Files are in `files`, in their order.']
      : files === 'one'
        ? ['The file is in `file`.']
        : []),
    ...(example === undefined || example.length > 500 ? [] : [`Example of options: \`${example}\``]),
    'Options:\n\n',
  ].join('\n\n')
}

function writeRow({ name, type, values, default: usual, bounds, isRequired }: OptionRow): string {
  const facts = [
    ...(isRequired ? ['required'] : []),
    values.length > 0 && values.length <= 20 ? values.join(' | ') : type,
    ...(bounds === undefined ? [] : [bounds]),
    ...(usual === undefined ? [] : [`default ${usual}`]),
  ]
  return `\`${name}\` (${facts.join('; ')})`
}
