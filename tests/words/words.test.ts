import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { readConfig } from '../../lib/config'
import { writeOpenApi } from '../../lib/docs/openapi/document'
import { findPage, listPages } from '../../lib/docs/pages/all'
import { writeMarkdown } from '../../lib/docs/pages/markdown'
import { lintWords } from './linter'
import { listSourceTexts } from './source-texts'

const ORIGIN = 'https://api.example.com'
const context = { origin: ORIGIN, config: readConfig({}) }
const slugs = listPages().flatMap(({ pages }) => pages.map(({ slug }) => slug))
const documents = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md', ...listDocuments()]

function listDocuments(): string[] {
  return readdirSync('docs')
    .filter(name => name.endsWith('.md'))
    .map(name => `docs/${name}`)
}

describe('the words that Sheaf uses', () => {
  it.each(slugs)('fit in the documentation page "%s"', async slug => {
    const page = findPage(slug, context)
    if (!page) throw new Error(`There is no page ${slug}.`)
    const blocks = writeMarkdown(page, { origin: ORIGIN, languages: [] })
      .replaceAll(/^```[^]*?^```$/gm, '') // Code has no words.
      .split(/\n{2,}/)
      .filter(block => !linted.has(block))
    for (const block of blocks) linted.add(block)
    expect(await lintWords(blocks.join('\n\n'))).toEqual([])
  })

  it.each(documents)('fit in %s', async path => expect(await lintWords(readFileSync(path, 'utf8'))).toEqual([]))

  it('fit in the OpenAPI document', async () => {
    const texts = listDescriptions(writeOpenApi(ORIGIN, context.config))
    expect(texts.length).toBeGreaterThan(500)
    expect(await lintEach(texts.map(text => ({ place: text, text })))).toEqual([])
  })

  it.each(['app', 'lib', 'engines', 'db', 'deploy'])('fit in the strings of %s', async folder => {
    expect(await lintEach(listSourceTexts(folder))).toEqual([])
  })
})

describe('the check of words', () => {
  it.each([
    ['The server answers with a picture.', 2],
    ['Send a call to the web address.', 2],
    ['A call costs 1 credit. The API call is free.', 2],
    ['Call the endpoint.', 0],
    ['This is no URL.', 1],
    ['There is no limit.', 0],
    ['It is no longer valid.', 0],
    ['The colour of the licence is organised.', 3],
    ['Retry; then stop.', 1],
    ['Use `a;b`, or `c; d`.', 0],
    ['Whether the page is rotated.', 1],
    [`${'word '.repeat(20)}.`, 0],
    [`${'word '.repeat(21)}.`, 1],
    [`One of ${'`name`, '.repeat(30)}and \`name\`.`, 0],
    ['| Name |\n| --- |\n| The fault |', 1],
    ['```\nlet picture = 1;\n```', 0],
  ])('finds problems in %j: %d', async (text, count) => expect(await lintWords(text)).toHaveLength(count))
})

/** Lists the titles, summaries and descriptions of a document, each once. */
function listDescriptions(value: unknown): string[] {
  if (Array.isArray(value)) return [...new Set(value.flatMap(listDescriptions))]
  if (typeof value !== 'object' || value === null) return []
  const texts = Object.entries(value).flatMap(([key, member]) =>
    ['title', 'summary', 'description'].includes(key) && typeof member === 'string'
      ? [member]
      : listDescriptions(member),
  )
  return [...new Set(texts)]
}

/** Texts that were linted. The OpenAPI document repeats those of source files, and pages those of other pages. */
const linted = new Set<string>()

/** Lints each text once. Texts of one line are linted together, as paragraphs of one document, which is faster. */
async function lintEach(texts: { place: string; text: string }[]): Promise<string[]> {
  const unread = texts.filter(({ text }) => !linted.has(text))
  for (const { text } of unread) linted.add(text)
  const [lines, others] = [unread.filter(isParagraph), unread.filter(one => !isParagraph(one))]
  const problems = (await lintWords(lines.map(({ text }) => text).join('\n\n'))).map(problem => {
    const line = Number(/^line (\d+)/.exec(problem)?.[1])
    return `${lines[(line - 1) / 2]?.place}: ${problem}`
  })
  for (const { place, text } of others)
    for (const problem of await lintWords(text)) problems.push(`${place}: ${problem}`)
  return problems
}

/** Returns whether a text is a line that is a paragraph in Markdown, whatever surrounds it. */
const isParagraph = ({ text }: { text: string }): boolean => /^[\p{L}\p{N}`'"(/](?!``).*$/u.test(text)
