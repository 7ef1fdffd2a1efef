'use client'

import { useState } from 'react'
import { useBlobUrl } from '../../elements/use-blob-url'
import { useLoaded } from '../../elements/use-loaded'
import { writeSize } from '../../elements/byte-size'
import { PdfPages } from './pdf-pages'
import classes from '../playground.module.css'

/** Maximum number of characters in a text preview. */
const SHOWN_CHARACTERS = 100_000
/** Maximum number of listed ZIP entries. */
const SHOWN_ENTRIES = 500

/** A preview of a file: the pages of a PDF, the entries of a ZIP, an image, or text. */
export function FilePreview({ file, name, contentType }: { file: Blob; name: string; contentType: string }) {
  if (contentType === 'application/pdf' || /\.pdf$/i.test(name)) return <PdfPages file={file} name={name} />
  if (contentType === 'application/zip' || /\.zip$/i.test(name)) return <ZipEntries file={file} />
  if (contentType.startsWith('image/') || /\.(png|jpe?g|webp)$/i.test(name))
    return <ImagePreview file={file} name={name} />
  if (
    /^(text\/|application\/(json|xml|xhtml))/.test(contentType) ||
    /\.(txt|json|tsv|csv|hocr|html?|xml|md)$/i.test(name)
  )
    return <TextPreview file={file} name={name} />
  return <p className={classes.soft}>This file type has no preview.</p>
}

function TextPreview({ file, name }: { file: Blob; name: string }) {
  const text = useLoaded(file, async blob => blob.slice(0, SHOWN_CHARACTERS).text())
  if (text === undefined) return <div className={classes.blank} />
  return (
    <>
      <pre
        className={classes.text}
        role="region"
        aria-label={`Text of ${name}`}
        data-testid="text-preview"
        // A scrollable element must be reachable by keyboard (WCAG 2.2, 2.1.1).
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
      >
        {text}
      </pre>
      {file.size > SHOWN_CHARACTERS && (
        <p className={classes.soft}>The preview shows only the beginning. The download is complete.</p>
      )}
    </>
  )
}

function ImagePreview({ file, name }: { file: Blob; name: string }) {
  const image = useBlobUrl<HTMLImageElement>(file)
  // An image of Next.js would be fetched by the server, which doesn't have this file.
  // oxlint-disable-next-line nextjs/no-img-element
  return <img ref={image} className={classes.image} alt={name} data-testid="image-preview" />
}

function ZipEntries({ file }: { file: Blob }) {
  const zip = useLoaded(file, async blob => {
    const { default: JSZip } = await import('jszip')
    const archive = await JSZip.loadAsync(blob)
    return Object.values(archive.files).filter(entry => !entry.dir)
  })
  const [chosenEntry, setChosenEntry] = useState<{ of: Blob; name: string; blob: Blob } | null>(null)
  const current = chosenEntry?.of === file ? chosenEntry : null
  if (zip === undefined) return <div className={classes.blank} />
  return (
    <div className={classes.pages}>
      <p className={classes.soft}>
        {zip.length} {zip.length === 1 ? 'file' : 'files'}. Choose a file to preview it.
      </p>
      <ul className={classes.entries}>
        {zip.slice(0, SHOWN_ENTRIES).map(entry => (
          <li key={entry.name}>
            <button
              type="button"
              className={classes.chip}
              aria-pressed={current?.name === entry.name}
              onClick={() => {
                entry.async('blob').then(
                  blob => setChosenEntry({ of: file, name: entry.name, blob }),
                  () => setChosenEntry(null),
                )
              }}
            >
              {entry.name}
            </button>
          </li>
        ))}
      </ul>
      {zip.length > SHOWN_ENTRIES && <p className={classes.soft}>The list shows the first {SHOWN_ENTRIES} files.</p>}
      {current !== null && (
        <>
          <p className={classes.soft}>
            {current.name}, {writeSize(current.blob.size)}
          </p>
          <FilePreview file={current.blob} name={current.name} contentType="" />
        </>
      )}
    </div>
  )
}
