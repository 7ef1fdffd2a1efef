import { z } from 'zod'
import { appendDocuments } from '../pdf-core/merge'
import { outputNameOption } from '../pdf-core/schemas'
import { defineTool } from './define'

export const mergePdf = defineTool({
  id: 'merge-pdf',
  title: 'Merge PDFs',
  summary: 'Joins two or more PDFs in the order sent; bookmarks, links, form fields, attachments, layers and tags of all of them are kept.',
  files: 'many',
  suffix: 'merged',
  answers: 'application/pdf',
  options: z.strictObject({ outputName: outputNameOption }),
  examples: [{ title: 'Join the files in the order sent', options: {} }],
  run(inputs) {
    const [first, ...others] = inputs.map(input => input.document)
    if (!first) throw new RangeError('merge-pdf without files') // the service asks for two or more
    appendDocuments(first, others)
    return { kind: 'pdf', document: first }
  },
})
