import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { describe, expect, it } from 'vitest'
import { Draft } from '../../../../fixtures/draft'
import { runOn } from '../../../../support/run-on'

const CONFIG = (value: string) =>
  '<config ' +
  `xmlns="http://www.xfa.org/schema/xci/3.0/"><acrobat><acrobat7><dynamicRender>${value}</dynamicRender></acrobat7></acrobat></config>`

/** Three pages with an XFA form and one field on page 2. */
function makeXfa({ config = CONFIG('forbidden'), needsRendering = false } = {}): Buffer {
  const draft = new Draft({ pages: 3 })
  const { pdf } = draft
  const field = pdf.add('<</Type/Annot/Subtype/Widget/FT/Tx/T(name)/V(Value)/Rect[60 200 200 220]>>')
  draft.page(2).annotations.push(`${field} 0 R`)
  const [template, packet] = ['<template xmlns="http://www.xfa.org/schema/xfa-template/3.3/"/>', config].map(text =>
    pdf.addStream('', text),
  )
  draft.catalog.push(`/AcroForm<</Fields[${field} 0 R]/XFA[(template) ${template} 0 R(config) ${packet} 0 R]>>`)
  if (needsRendering) draft.catalog.push('/NeedsRendering true')
  return draft.write()
}

interface FormFacts {
  hasForm: boolean
  hasXfa: boolean
  needsRendering: boolean
}

/** What PDF.js reports about the form, and whether the bytes still contain /NeedsRendering. */
async function readForm(bytes: Buffer): Promise<FormFacts> {
  const task = getDocument({ data: new Uint8Array(bytes), verbosity: 0 })
  try {
    const { info } = await (await task.promise).getMetadata()
    const isSet = (name: string): boolean => Object.entries(info).some(([key, value]) => key === name && value === true)
    return {
      hasForm: isSet('IsAcroFormPresent'),
      hasXfa: isSet('IsXFAPresent'),
      needsRendering: bytes.includes('NeedsRendering'),
    }
  } finally {
    await task.destroy()
  }
}

const DYNAMIC = [makeXfa({ config: CONFIG('required') }), makeXfa({ needsRendering: true })]

const EDITS: [string, object][] = [
  ['rotate-pdf', { angle: 90 }],
  ['crop-pdf', { margins: 20 }],
  ['page-numbers', {}],
  ['header-footer', { headerText: 'Header' }],
  ['add-watermark', { text: 'DRAFT' }],
  ['remove-annotations', {}],
  ['flatten-pdf', { forms: false }],
]

describe('XFA forms', () => {
  it('are found by PDF.js in the fixtures', async () => {
    for (const file of DYNAMIC) expect(await readForm(file)).toMatchObject({ hasForm: true, hasXfa: true })
  })

  it.each(EDITS)('that are dynamic hide the changes of %s, unless they are removed', async (tool, options) => {
    for (const file of DYNAMIC) {
      const kept = await runOn(tool, file, options)
      expect(kept.warnings).toEqual(['xfa-hides-changes'])
      expect(await readForm(kept.bytes)).toMatchObject({ hasForm: true, hasXfa: true })
      const dropped = await runOn(tool, file, { ...options, xfa: 'drop' })
      expect(dropped.warnings).toEqual(['xfa-dropped'])
      expect(await readForm(dropped.bytes)).toEqual({ hasForm: true, hasXfa: false, needsRendering: false })
    }
  })

  it('that are static remain without a warning', async () => {
    for (const [tool, options] of EDITS) {
      const { bytes, warnings } = await runOn(tool, makeXfa(), options)
      expect(warnings, tool).toEqual([])
      expect(await readForm(bytes)).toMatchObject({ hasXfa: true })
    }
    expect((await runOn('rotate-pdf', makeXfa(), { angle: 90, xfa: 'drop' })).warnings).toEqual(['xfa-dropped'])
  })

  it.each([
    ['delete-pages', { pages: [2] }],
    ['extract-pages', { pages: [1] }],
    ['organize-pdf', { pageOrder: [3, 1] }],
    ['remove-annotations', { types: 'all' }],
    ['remove-annotations', { types: ['Widget'], pages: [2] }],
  ])('are removed with the last field if %s removes it', async (tool, options) => {
    const { bytes, warnings } = await runOn(tool, makeXfa({ needsRendering: true }), options)
    expect(warnings).toEqual(['xfa-dropped'])
    expect(await readForm(bytes)).toEqual({ hasForm: false, hasXfa: false, needsRendering: false })
  })

  it('are removed with the last field if split-pdf leaves it out', async () => {
    const { warnings } = await runOn('split-pdf', makeXfa({ needsRendering: true }), { mode: 'every', every: 1 })
    expect(warnings).toEqual(['xfa-dropped'])
  })
})
