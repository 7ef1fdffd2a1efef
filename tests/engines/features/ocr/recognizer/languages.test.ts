import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findModel } from '../../../../../engines/features/ocr/recognizer/languages'
import { makeScan } from '../../../../fixtures/scan'
import { runOn } from '../../../../support/run-on'

const LINE = 'The lighthouse keeper wrote one line'

let folder: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sheaf-models-'))
  const packed = readFileSync(findModel('eng', undefined))
  writeFileSync(join(folder, 'qaa.traineddata'), gunzipSync(packed))
  writeFileSync(join(folder, 'qab_old.traineddata.gz'), packed)
  writeFileSync(join(folder, 'qac.traineddata'), 'no model')
  writeFileSync(join(folder, 'notes.txt'), 'nothing to read with')
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

const read = async (languages: string[]): Promise<string> =>
  (
    await runOn(
      'pdf-ocr',
      await makeScan([{ lines: [LINE] }]),
      { languages, outputFormat: 'text' },
      { ocrLanguagesFolder: folder },
    )
  ).bytes
    .toString('utf8')
    .trim()

describe('models in a folder of the operator', () => {
  it.each([[['qaa']], [['qab_old']], [['qaa', 'deu']]])('are read like the models of packages: %s', async languages => {
    expect(await read(languages)).toBe(LINE)
  })

  it('are listed with the installed models, and other files of the folder are ignored', async () => {
    await expect(read(['../qaa'])).rejects.toMatchObject({
      reason: 'options_invalid',
      message: expect.stringMatching(
        /must be an installed language\. Got "\.\.\/qaa"\. Use ara, .*, pol, por, qaa, qab_old, qac, spa,/,
      ) as string,
    })
    await expect(read(['notes'])).rejects.toMatchObject({ reason: 'options_invalid' })
  })

  it('add no languages if no folder is configured', async () => {
    await expect(runOn('pdf-ocr', await makeScan([{ lines: [LINE] }]), { languages: ['qaa'] })).rejects.toMatchObject({
      reason: 'options_invalid',
    })
  })

  it('end the request if they are invalid, and the next request succeeds', async () => {
    await expect(read(['qac'])).rejects.toMatchObject({
      reason: 'internal',
      message: 'Text recognition could not be started.',
    })
    expect(await read(['qaa'])).toBe(LINE)
  })
})
