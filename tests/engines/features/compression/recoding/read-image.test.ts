import { describe, expect, it } from 'vitest'
import { listImages } from '../../../../../engines/features/compression/recoding/compress-images'
import { readImage } from '../../../../../engines/features/compression/recoding/read-image'
import { openDocument } from '../../../../../engines/pdf/open-save/open'
import { FAX_CODINGS, showImage } from '../../../../fixtures/images'
import { LIMITS } from '../../../../support/run-on'

describe('readImage', () => {
  it.each(Object.entries(FAX_CODINGS))(
    'reads whole fax data only, because viewers differ in missing rows: %s',
    async (_coding, { dictionary, data }) => {
      const isRead = async (part: Buffer): Promise<boolean> => {
        const file = showImage({ dictionary, data: part }, '100 0 0 100 0 0')
        const document = openDocument(new Uint8Array(file), LIMITS)
        const [found] = listImages(document, { mayUseGray: true, sizes: undefined })
        const settings = { mayReduce: () => false, convertsCmyk: false }
        return found !== undefined && (await readImage(document, found.image, settings)) !== undefined
      }
      expect([await isRead(data), await isRead(data.subarray(0, data.length / 2))]).toEqual([true, false])
    },
  )
})
