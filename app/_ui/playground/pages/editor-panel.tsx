'use client'

import { type ComponentType, lazy, Suspense } from 'react'
import { Panel } from '../../elements/panel'
import classes from '../playground.module.css'
import type { JsonObject } from '../form/field-shapes'
import type { OpenedDocument } from '../preview/pdf-renderer'
import { useDocument } from '../preview/use-document'
import type { PageEditor } from '../request/playground-endpoint'

/** Properties of every editor. An editor reads and writes only the options, so that form, JSON and curl follow it. */
export interface EditorProps {
  document: OpenedDocument
  /** The ID of the tool, such as `crop-pdf`. */
  tool: string
  fileName: string
  options: JsonObject
  onChange: (options: JsonObject) => void
}

/** The editors by name, each loaded only on the pages that use it. */
const EDITORS: Record<PageEditor, { title: string; Editor: ComponentType<EditorProps> }> = {
  redaction: {
    title: 'Draw boxes or find text',
    Editor: lazy(async () => ({ default: (await import('./redaction-editor')).RedactionEditor })),
  },
  fields: {
    title: 'Fill the form',
    Editor: lazy(async () => ({ default: (await import('./fields-editor')).FieldsEditor })),
  },
  crop: {
    title: 'Draw the box to keep',
    Editor: lazy(async () => ({ default: (await import('./crop-editor')).CropEditor })),
  },
  marks: {
    title: 'Outline on the page',
    Editor: lazy(async () => ({ default: (await import('./marks-editor')).MarksEditor })),
  },
  order: {
    title: 'Arrange the pages',
    Editor: lazy(async () => ({ default: (await import('../thumbnails/order-editor')).OrderEditor })),
  },
  deletion: {
    title: 'Choose pages to delete',
    Editor: lazy(async () => ({ default: (await import('../thumbnails/selection-editor')).DeletionEditor })),
  },
  extraction: {
    title: 'Choose pages to extract',
    Editor: lazy(async () => ({ default: (await import('../thumbnails/selection-editor')).ExtractionEditor })),
  },
  rotation: {
    title: 'Rotate the pages',
    Editor: lazy(async () => ({ default: (await import('../thumbnails/rotation-editor')).RotationEditor })),
  },
}

/** The pages of the file, on which options can be set by pointer, finger or keys. */
export function EditorPanel({
  editor,
  file,
  ...rest
}: { editor: PageEditor; file: File } & Omit<EditorProps, 'document' | 'fileName'>) {
  const { title, Editor } = EDITORS[editor]
  const opening = useDocument(file)
  const waiting = <div className={classes.blank} role="status" aria-label={`Rendering ${file.name}`} />
  return (
    <Panel id="page-editor" title={title}>
      {opening.state === 'failed' && <p className={classes.soft}>{opening.sentence}</p>}
      {opening.state === 'opening' && waiting}
      {opening.state === 'open' && (
        <Suspense fallback={waiting}>
          <Editor key={file.name} document={opening.document} fileName={file.name} {...rest} />
        </Suspense>
      )}
    </Panel>
  )
}
