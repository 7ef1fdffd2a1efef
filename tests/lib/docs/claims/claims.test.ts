import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { readConfig } from '../../../../lib/config'
import { findPage } from '../../../../lib/docs/pages/all'
import { writeMarkdown } from '../../../../lib/docs/pages/markdown'
import { SECURITY_PROMISES } from '../../../../lib/docs/security'
import { ELSEWHERE, IN_SCOPE, PROMISES, type Claim } from './claims'

const splitSentences = (text: string) => text.split(/(?<=\.)\s+/).filter(sentence => sentence !== '')
const promised = SECURITY_PROMISES.flatMap(({ promise }) => splitSentences(promise))
const [, scope = ''] = /## In scope\n[^]*?\n\n((?:- .*\n)+)/.exec(readFileSync('SECURITY.md', 'utf8')) ?? []

/** The text of a page of the documentation, or of a file, with single spaces. */
function readPlace(place: string): string {
  const context = { origin: 'https://api.example.com', config: readConfig({}) }
  const page = place.startsWith('/docs/') ? findPage(place.slice('/docs/'.length), context) : undefined
  const text = page ? writeMarkdown(page, context) : readFileSync(place, 'utf8')
  return text.replaceAll(/\s+(# )?/g, ' ') // A comment of YAML may begin a line inside of a sentence.
}

const listProblems = (claims: readonly Claim[]) =>
  claims.flatMap(([sentence, file, test]) => {
    const code = existsSync(file) ? readFileSync(file, 'utf8').replaceAll("\\'", "'") : ''
    return code.includes(test) ? [] : [`${sentence} -> ${file} has no "${test}"`]
  })

describe('a claim', () => {
  it('of the promises has a test, for every sentence', () => {
    expect(PROMISES.map(([sentence]) => sentence)).toEqual(promised)
    expect(listProblems(PROMISES)).toEqual([])
  })

  it('in the scope of SECURITY.md has a test, for every sentence', () => {
    expect(IN_SCOPE.map(([sentence]) => sentence)).toEqual(scope.split(/^- /m).flatMap(splitSentences))
    expect(listProblems(IN_SCOPE)).toEqual([])
  })

  it.each(Object.entries(ELSEWHERE))('of %s is there, and has a test', (place, claims) => {
    const text = readPlace(place)
    expect(claims.map(([sentence]) => sentence).filter(sentence => !text.includes(sentence))).toEqual([])
    expect(listProblems(claims)).toEqual([])
  })

  it('that reviews found to be false is gone', () => {
    const all = Object.keys(ELSEWHERE).map(readPlace).join(' ')
    const wrong = [
      'delay no other account',
      'Separate processes read files',
      "can't take all resources",
      'one line per request to',
      'Sheaf processes each request in a separate process',
    ]
    expect(wrong.filter(words => all.includes(words))).toEqual([])
  })
})
