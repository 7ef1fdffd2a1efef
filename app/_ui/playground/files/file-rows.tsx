import { writeSize } from '../../elements/byte-size'
import classes from '../playground.module.css'

interface Props<Named> {
  files: Named[]
  onChange: (files: Named[]) => void
  /** Ends the names of the buttons, if several lists may have the same files. */
  place?: string
}

/** Files in their order, with buttons that move and remove them. */
export function FileRows<Named extends { name: string; size?: number }>({ files, onChange, place = '' }: Props<Named>) {
  const move = (from: number, to: number) => {
    const next = files.filter((_, index) => index !== from)
    const moved = files[from]
    if (moved) onChange([...next.slice(0, to), moved, ...next.slice(to)])
  }
  return (
    <ol className={classes.files}>
      {files.map((file, index) => (
        <li key={`${index} ${file.name}`}>
          <span className={classes.fileName}>{file.name}</span>
          {file.size !== undefined && <span className={classes.soft}>{writeSize(file.size)}</span>}
          <span className={classes.fileButtons}>
            {files.length > 1 && (
              <>
                <button
                  type="button"
                  className={classes.chip}
                  disabled={index === 0}
                  aria-label={`Move ${file.name} up${place}`}
                  onClick={() => move(index, index - 1)}
                >
                  ↑
                </button>
                <button
                  type="button"
                  className={classes.chip}
                  disabled={index === files.length - 1}
                  aria-label={`Move ${file.name} down${place}`}
                  onClick={() => move(index, index + 1)}
                >
                  ↓
                </button>
              </>
            )}
            <button
              type="button"
              className={classes.chip}
              aria-label={`Remove ${file.name}${place}`}
              onClick={() => onChange(files.filter((_, at) => at !== index))}
            >
              Remove
            </button>
          </span>
        </li>
      ))}
    </ol>
  )
}
