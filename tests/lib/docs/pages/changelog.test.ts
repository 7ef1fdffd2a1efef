import { expect, it } from 'vitest'
import { describeChangelog, readBlocks } from '../../../../lib/docs/pages/changelog'

it('makes a page of the changelog, each version with an anchor', () => {
  const { blocks } = describeChangelog()
  expect(blocks[0]).toMatchObject({
    kind: 'heading',
    level: 2,
    id: expect.stringMatching(/^\d+-\d+-\d+|unreleased$/) as string,
  })
  expect(blocks.some(({ kind }) => kind === 'list')).toBe(true)
})

it('reads headings, paragraphs, lists and code', () => {
  expect(
    readBlocks('# Changelog\n\n## 1.2.0\n\nSome `words`\nof text.\n\n- one\n- two\n  more\n\n```sh\nls\n```\n'),
  ).toEqual([
    { kind: 'heading', level: 2, id: '1-2-0', text: '1.2.0' },
    { kind: 'prose', text: 'Some `words` of text.' },
    { kind: 'list', items: ['one', 'two more'], isOrdered: false },
    { kind: 'code', language: 'sh', text: 'ls', what: 'the code' },
  ])
})

it('refuses what its page has no place for', () => {
  expect(() => readBlocks('<script>alert(1)</script>')).toThrow('holds a html')
  expect(() => readBlocks('| a |\n| - |\n| b |')).toThrow('holds a table')
})
