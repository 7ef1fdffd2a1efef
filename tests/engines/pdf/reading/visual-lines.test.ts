import { describe, expect, it } from 'vitest'
import { findReorderedLines } from '../../../../engines/pdf/read-page'
import { makeTrap } from '../../../fixtures/traps'
import { readPageTexts } from '../../../support/page-texts'
import { readPdfjsTexts } from '../../../support/pdfjs-texts'
import { runOn } from '../../../support/run-on'
import { readDrawn } from './read-drawn'

const show = (text: string, x: number, y = 50): string => `BT /F 10 Tf ${x} ${y} Td (${text}) Tj ET`

/** The lines that are found, with a blank between their words. */
function readLines(content: string): string[] {
  return findReorderedLines(readDrawn(content).glyphs).map(line =>
    line.map(({ text, isSpaced }, at) => (isSpaced && at > 0 ? ` ${text}` : text)).join(''),
  )
}

/** A template that is drawn first, and the values that are drawn between its words later. */
const TEMPLATES: Record<string, { content: string; phrase: string; words: string[] }> = {
  'one value': {
    content: `${show('DEAR', 20)} ${show('WELCOME', 80)} ${show('ANNA', 50)}`,
    phrase: 'DEAR ANNA WELCOME',
    words: ['DEAR', 'ANNA', 'WELCOME'],
  },
  'two values': {
    content: `${show('FROM', 20)} ${show('TO', 80)} ${show('BONN', 50)} ${show('ROME', 98)}`,
    phrase: 'FROM BONN TO ROME',
    words: ['FROM', 'BONN', 'ROME'],
  },
  'values of several lines': {
    content: `${show('NAME', 20, 80)} ${show('CITY', 20, 60)} ${show('ANNA', 50, 80)} ${show('BONN', 50, 60)}`,
    phrase: 'CITY BONN',
    words: ['CITY', 'BONN'],
  },
  'values first': {
    content: `${show('ANNA', 50)} ${show('BONN', 104)} ${show('NAME', 20)} ${show('CITY', 78)}`,
    phrase: 'NAME ANNA CITY BONN',
    words: ['NAME', 'ANNA', 'CITY', 'BONN'],
  },
  'a value within a word': {
    content: `${show('SECT', 20)} ${show('NAL', 56)} ${show('IO', 44)}`,
    phrase: 'SECTIONAL',
    words: ['SECTIONAL', 'SECT'],
  },
  'a raised value': {
    content: `${show('DEAR', 20)} ${show('WELCOME', 80)} ${show('ANNA', 50, 52)}`,
    phrase: 'DEAR ANNA WELCOME',
    words: ['DEAR', 'ANNA', 'WELCOME'],
  },
  'a value on a turned line': {
    content: `0 1 -1 0 100 10 cm ${show('DEAR', 20)} ${show('WELCOME', 80)} ${show('ANNA', 50)}`,
    phrase: 'DEAR ANNA WELCOME',
    words: ['DEAR', 'ANNA', 'WELCOME'],
  },
  'a value upside down': {
    content: `-1 0 0 -1 280 280 cm ${show('DEAR', 20)} ${show('WELCOME', 80)} ${show('ANNA', 50)}`,
    phrase: 'DEAR ANNA WELCOME',
    words: ['DEAR', 'ANNA', 'WELCOME'],
  },
}

describe('lines with values that are drawn later', () => {
  it.each(Object.entries(TEMPLATES))('are found: %s', (_, { content, phrase }) => {
    expect(readLines(content)).toContain(phrase)
  })

  it.each(Object.entries(TEMPLATES))('are redacted: %s', async (_, { content, phrase, words }) => {
    const { file } = makeTrap({ content: `${show('ABOVE', 20, 290)} q ${content} Q ${show('BELOW', 20, 250)}` })
    const { bytes, headers } = await runOn('pdf-redaction', file, { search: [{ text: phrase }] })
    expect([headers['X-Redaction-Verified'], headers['X-Redactions-Applied']]).toEqual(['true', '1'])
    for (const [text = ''] of [await readPageTexts(bytes), await readPdfjsTexts(bytes)]) {
      for (const word of words) expect(text).not.toContain(word)
      for (const kept of ['ABOVE', 'BELOW', 'BESIDE']) expect(text).toContain(kept)
    }
  })
})

describe('lines are not reordered', () => {
  it.each<[string, string]>([
    ['whose words follow each other', `${show('DEAR', 20)} ${show('ANNA', 50)}`],
    [
      'in columns',
      `${show('LEFT', 20, 80)} ${show('LEFT', 20, 60)} ${show('RIGHT', 150, 80)} ${show('RIGHT', 150, 60)}`,
    ],
    ['below each other', `${show('BELOW', 20, 40)} ${show('ABOVE', 20, 80)}`],
    ['of another angle', `${show('DEAR', 20)} ${show('X', 80)} BT /F 10 Tf .9 .436 -.436 .9 50 50 Tm (ANNA) Tj ET`],
    ['of another baseline', `${show('DEAR', 20)} ${show('X', 80)} ${show('ANNA', 50, 54)}`],
  ])('%s', (_, content) => {
    for (const line of readLines(content)) expect(line).not.toMatch(/DEAR ?ANNA|LEFT ?RIGHT|ABOVE ?BELOW/)
  })
})
