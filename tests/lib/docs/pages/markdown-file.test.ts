import { expect, it } from 'vitest'
import { describeMarkdownFile, readPage } from '../../../../lib/docs/pages/markdown-file'

const START = '# A *title*\n\nThe lead\nof the page.\n\n'
const readBlocks = (markdown: string) => readPage(START + markdown, 'docs/page.md').blocks

it('turns the changelog into a page, with an anchor for each date', () => {
  const { slug, title, blocks } = describeMarkdownFile('changelog')
  expect({ slug, title }).toEqual({ slug: 'changelog', title: 'Changelog' })
  expect(blocks[0]).toMatchObject({
    kind: 'heading',
    level: 2,
    id: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) as string,
  })
  expect(blocks.some(({ kind }) => kind === 'list')).toBe(true)
})

it('uses the first heading as the title and the first paragraph as the lead', () => {
  expect(readPage('# Pages\n\nThe lead\nof `it`.\n\nText.', 'docs/page.md')).toEqual({
    title: 'Pages',
    lead: 'The lead of `it`.',
    blocks: [{ kind: 'prose', text: 'Text.' }],
  })
  expect(() => readPage('# Pages\n\n- item', 'docs/page.md')).toThrow(
    'docs/page.md must begin with a title and a paragraph',
  )
})

it('reads headings, paragraphs, lists, notes and code', () => {
  expect(
    readBlocks(
      '## Back up\n\nSome `words`\nof text.\n\n- one\n- two\n  more\n\n1. first\n\n### 1.2.0\n\n> Never do\n> this.\n\n' +
        '```sh the command\nls\n```\n\n```\nplain\n```\n',
    ),
  ).toEqual([
    { kind: 'heading', level: 2, id: 'back-up', text: 'Back up' },
    { kind: 'prose', text: 'Some `words` of text.' },
    { kind: 'list', items: ['one', 'two more'], isOrdered: false },
    { kind: 'list', items: ['first'], isOrdered: true },
    { kind: 'heading', level: 3, id: '1-2-0', text: '1.2.0' },
    { kind: 'note', text: 'Never do this.' },
    { kind: 'code', language: 'sh', text: 'ls', what: 'the command' },
    { kind: 'code', language: '', text: 'plain', what: 'the code' },
  ])
})

it('reads tables, with an anchor for each variable', () => {
  expect(
    readBlocks('| Variable | Meaning |\n| --- | --- |\n| `PORT` | The `a\\|b` |\n| `PORT`, `HOST` | Both |'),
  ).toEqual([
    {
      kind: 'table',
      columns: ['Variable', 'Meaning'],
      rows: [{ id: 'PORT', cells: ['`PORT`', 'The `a|b`'] }, { cells: ['`PORT`, `HOST`', 'Both'] }],
    },
  ])
})

it.each([
  ['[one](configuration.md)', '[one](/docs/configuration)'],
  ['[one](self-hosting.md#sizes)', '[one](/docs/self-hosting#sizes)'],
  ['[changes](../CHANGELOG.md)', '[changes](/docs/changelog)'],
  ['[here](#sizes) and [there](https://example.com/a)', '[here](#sizes) and [there](https://example.com/a)'],
  ['[`deploy/nginx/`](../deploy/nginx/)', '`deploy/nginx/`'],
  ['[the proxy](../deploy/nginx/)', 'the proxy (`deploy/nginx/`)'],
  ['[figures](performance.md#memory)', 'figures (`docs/performance.md`)'],
  ['`[code](configuration.md)`', '`[code](configuration.md)`'],
])('turns a link to a file into a link on the site, or names the file: %s', (markdown, text) => {
  expect(readBlocks(markdown)).toEqual([{ kind: 'prose', text }])
})

it.each([
  ['<script>alert(1)</script>', 'docs/page.md holds a html, which a page has no place for'],
  ['---', 'docs/page.md holds a hr'],
  ['- one\n  - two', 'A list of docs/page.md holds a list'],
  ['> - one', 'A blockquote of docs/page.md holds a list'],
])('refuses content that a page does not support: %s', (markdown, message) => {
  expect(() => readBlocks(markdown)).toThrow(message)
})
