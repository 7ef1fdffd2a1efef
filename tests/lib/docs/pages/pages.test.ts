import { lexer, type Tokens } from 'marked'
import { describe, expect, it } from 'vitest'
import { readConfig } from '../../../../lib/config'
import { listEndpoints, SHARED_ERRORS } from '../../../../lib/docs/endpoints'
import { findPage, listPages } from '../../../../lib/docs/pages/all'
import { parseInline, type InlinePart } from '../../../../lib/docs/pages/inline'
import { writeLlmsFull, writeLlmsList } from '../../../../lib/docs/pages/llms'
import { writeMarkdown } from '../../../../lib/docs/pages/markdown'
import { optionAnchor, type Block, type DocsPage } from '../../../../lib/docs/pages/page'

const ORIGIN = 'https://api.example.com'
const context = { origin: ORIGIN, config: readConfig({}) }
const entries = listPages().flatMap(({ pages }) => pages)
const pages = new Map(entries.map(({ slug }) => [slug, getPage(slug)]))

function getPage(slug: string): DocsPage {
  const page = findPage(slug, context)
  if (!page) throw new Error(`there is no page ${slug}`)
  return page
}

/** All text of a page in which Markdown marks have a meaning. */
function listTexts({ title, lead, blocks }: DocsPage): string[] {
  return [title, lead, ...blocks.flatMap(textsOf)]
}

function textsOf(block: Block): string[] {
  if (block.kind === 'heading' || block.kind === 'prose' || block.kind === 'note') return [block.text]
  if (block.kind === 'list') return block.items
  if (block.kind === 'facts') return block.facts.map(({ text }) => text)
  if (block.kind === 'table') return [...block.columns, ...block.rows.flatMap(({ cells }) => cells)]
  return block.kind === 'options' ? block.rows.map(({ description }) => description) : []
}

const listLinks = (page: DocsPage) =>
  listTexts(page)
    .flatMap(text => parseInline(text))
    .flatMap((part: InlinePart) => (part.kind === 'link' ? [part.href] : []))

function listAnchors({ blocks }: DocsPage): string[] {
  return blocks.flatMap(block => {
    if (block.kind === 'heading') return [block.id]
    if (block.kind === 'options') return block.rows.map(({ name }) => optionAnchor(block.anchor, name))
    return block.kind === 'table' ? block.rows.flatMap(({ id }) => id ?? []) : []
  })
}

describe('the pages', () => {
  it('are the guides and a page for every operation', () => {
    expect(entries.map(({ slug }) => slug)).toEqual(
      expect.arrayContaining([
        '',
        'quickstart',
        'pricing',
        'api-basics',
        'errors',
        'idempotency',
        'rate-limits',
        'retries',
        'warnings',
        'limits',
        'privacy',
        'security',
        'changelog',
        'versioning',
        'not-supported',
        ...listEndpoints().map(({ slug }) => slug),
      ]),
    )
    expect(new Set(entries.map(({ slug }) => slug)).size).toBe(entries.length)
    expect(findPage('no-such-page', context)).toBeUndefined()
  })

  it.each([...pages])('have unique anchors, and link to existing pages and anchors: /docs/%s', (slug, page) => {
    const anchors = listAnchors(page)
    expect(anchors.filter((anchor, index) => anchors.indexOf(anchor) !== index || anchor === '')).toEqual([])
    const broken = listLinks(page).filter(href => {
      const [, path, target, anchor] = /^(\/docs(?:\/([a-z0-9-]+))?)?(?:#(.+))?$/.exec(href) ?? []
      if (path === undefined && anchor === undefined)
        return !/^(\/(account|samples|openapi\.json|postman\.json|llms)|https:\/\/)/.test(href)
      const leadsTo = pages.get(path === undefined ? slug : (target ?? ''))
      return leadsTo === undefined || (anchor !== undefined && !listAnchors(leadsTo).includes(anchor))
    })
    expect(broken).toEqual([])
  })

  it('list for every operation its parameters, response, cost and errors', () => {
    for (const call of listEndpoints()) {
      const page = getPage(call.slug)
      const text = listTexts(page).join('\n')
      for (const code of call.errors.filter(one => !SHARED_ERRORS.includes(one)))
        expect(text).toContain(`/docs/errors#${code}`)
      expect(text).toContain('[errors of every endpoint](/docs/errors)')
      for (const warning of call.warnings) expect(text).toContain(`/docs/warnings#${warning}`)
      expect(text).toMatch(/Time: .* s/)
      expect(page.blocks.filter(({ kind }) => kind === 'samples').length).toBe(3)
      const responses = call.sections.filter(({ example }) => example !== undefined).length
      expect(page.blocks.filter(({ kind }) => kind === 'code').length).toBe(1 + call.examples.length + responses)
    }
  })
})

describe('the page of an operation', () => {
  const textOf = (slug: string) => listTexts(getPage(slug)).join('\n')

  it('shows a short command first, and long samples after the parameters', () => {
    for (const { slug } of listEndpoints()) {
      const { blocks } = getPage(slug)
      const position = (isIt: (block: Block) => boolean) => blocks.findIndex(isIt)
      expect(position(({ kind }) => kind === 'code')).toBeLessThan(position(({ kind }) => kind === 'options'))
      expect(position(({ kind }) => kind === 'options')).toBeLessThan(position(({ kind }) => kind === 'samples'))
    }
  })

  it('says that all parameters are optional only if a request needs none', () => {
    const needed = /\n(Required: |Send one of these combinations|Send exactly one of |Send at least one )/
    for (const { slug, schema } of listEndpoints()) {
      const isOptional = textOf(slug).includes('\nAll parameters are optional.\n')
      if (isOptional) expect(schema.safeParse({}).success, slug).toBe(true)
      else expect(textOf(slug), slug).toMatch(needed)
    }
  })

  it('lists required parameters and combinations', () => {
    expect(textOf('rotate-pdf')).toContain('\n`angle`, without `rotations`.\n')
    expect(textOf('split-pdf')).toContain(
      '\n`every` with `mode` set to `"every"`, without `ranges`, `parts` or `maxBytes`.\n',
    )
    expect(textOf('crop-pdf')).toContain('\n`cropBox`, without `margins`. If you set `auto`, it must be `false`.\n')
    expect(textOf('invoice-generator')).toContain('\nRequired: `invoiceNumber`, `from`')
    expect(textOf('merge-pdf')).toContain('\nAll parameters are optional.\n')
  })
})

describe('the Markdown of a page', () => {
  it.each([...pages])('renders to the same content: /docs/%s', (_, page) => {
    const tokens = lexer(writeMarkdown(page, { origin: ORIGIN }))
    const headings = page.blocks.flatMap(block => (block.kind === 'heading' ? [block.level] : []))
    expect(tokens.flatMap(token => (token.type === 'heading' ? [(token as Tokens.Heading).depth] : []))).toEqual([
      1,
      ...headings,
    ])
    const tables = page.blocks.flatMap(block =>
      block.kind === 'table' || block.kind === 'options' ? [block.rows.length] : [],
    )
    expect(tokens.flatMap(token => (token.type === 'table' ? [(token as Tokens.Table).rows.length] : []))).toEqual(
      tables,
    )
    const code = page.blocks.flatMap(block =>
      block.kind === 'code'
        ? [block.text]
        : block.kind === 'samples'
          ? block.samples.map(({ text }) => text)
          : block.kind === 'endpoint'
            ? [`POST ${block.path}`]
            : [],
    )
    expect(tokens.flatMap(token => (token.type === 'code' ? [(token as Tokens.Code).text] : []))).toEqual(code)
    expect(tokens.filter(({ type }) => type === 'html')).toEqual([])
  })

  it('escapes characters that Markdown would interpret', () => {
    const page: DocsPage = {
      slug: 'x',
      title: 'T',
      lead: 'L',
      blocks: [
        {
          kind: 'table',
          columns: ['a', 'b'],
          rows: [{ cells: ['`a|b`', '<b> * _x_ snake_case [see](/docs/errors#e) **now**'] }],
        },
      ],
    }
    expect(writeMarkdown(page, { origin: ORIGIN })).toContain(
      `| \`a\\|b\` | \\<b> \\* \\_x\\_ snake_case [see](${ORIGIN}/docs/errors.md#e) **now** |`,
    )
  })
})

describe('the list for language models', () => {
  it('follows llmstxt.org and has every page', () => {
    const text = writeLlmsList(context)
    expect(text).toMatch(/^# Sheaf\n\n> /)
    const links = [...text.matchAll(/^- \[[^\]]+\]\((https:[^)]+)\): .+$/gm)].map(([, href]) => href)
    expect(links).toEqual(
      expect.arrayContaining(entries.map(({ slug }) => `${ORIGIN}/docs${slug === '' ? '' : `/${slug}`}.md`)),
    )
    expect(text.split('\n').filter(line => line.startsWith('## '))).toEqual([
      '## Get started',
      '## Clients',
      '## Errors and limits',
      '## Endpoints: organize',
      '## Endpoints: secure',
      '## Endpoints: mark',
      '## Endpoints: forms',
      '## Endpoints: text',
      '## Endpoints: convert',
      '## Endpoints: archive',
      '## Endpoints: create',
      '## Electronic invoices',
      '## Security and releases',
      '## Self-hosting',
      '## Optional',
    ])
  })

  it('has a long form with the text of every page', async () => {
    const text = await writeLlmsFull(context)
    for (const page of pages.values()) expect(text).toContain(`\n# ${page.title}\n`)
    expect(text).not.toContain('package main')
  })
})
