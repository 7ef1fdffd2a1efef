'use client'

import { NativeSelect } from '@mantine/core'
import { useState } from 'react'
import { Panel } from '../../elements/panel'
import type { FileOutcome } from '../request/response-details'
import { FilePreview } from './output-preview'
import classes from '../playground.module.css'

/** The pages of the input and of the output, side by side. */
export function PagesPanel({ files, output }: { files: File[]; output: FileOutcome | undefined }) {
  const [chosenIndex, setChosenIndex] = useState(0)
  const file = files[Math.min(chosenIndex, files.length - 1)]
  if (!file && !output) return null
  return (
    <Panel id="pages" title="Pages">
      <div className={file && output ? classes.sides : undefined}>
        {file && (
          <section aria-label="Input">
            <h3 className={classes.sideTitle}>In</h3>
            {files.length > 1 && (
              <NativeSelect
                size="xs"
                aria-label="Shown file"
                value={String(files.indexOf(file))}
                data={files.map(({ name }, index) => ({ value: String(index), label: `${index + 1}. ${name}` }))}
                onChange={({ currentTarget }) => setChosenIndex(Number(currentTarget.value))}
              />
            )}
            <FilePreview file={file} name={file.name} contentType={file.type} />
          </section>
        )}
        {output && (
          <section aria-label="Output" data-testid="output">
            <h3 className={classes.sideTitle}>Output</h3>
            <FilePreview file={output.blob} name={output.name} contentType={output.contentType} />
          </section>
        )}
      </div>
    </Panel>
  )
}
