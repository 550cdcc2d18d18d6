import { useId, type ReactNode } from 'react'
import { useBranch } from '../content/at.ts'
import { Drop } from '../controls/drop.tsx'
import { useWords } from '../words/language.tsx'
import { addUploads } from './uploads.ts'

interface DropZoneProps {
  readonly children?: ReactNode
  /** The folder of new assets. */
  readonly folderId?: string | undefined
  /** The content type of new assets; undefined: the only one that accepts the file. */
  readonly type?: string | undefined
  /** The asset that gets the file as its next version; undefined: each file becomes a new asset. */
  readonly itemId?: string
}

/** Uploads the files that are dropped on it or chosen. */
export function DropZone({ children, folderId, type, itemId }: DropZoneProps) {
  const { assets: words } = useWords()
  const { at, reason } = useBranch()
  const id = useId()
  const why = reason('assets.upload')
  const isReplaced = itemId !== undefined
  const send = (files: FileList | null) =>
    addUploads([...(files ?? [])].slice(0, isReplaced ? 1 : undefined), {
      repositoryId: at.configId,
      ...(at.packageName !== undefined && { packageName: at.packageName }),
      ...(folderId !== undefined && { folderId }),
      ...(type !== undefined && { type }),
      ...(isReplaced && { itemId }),
    })
  if (why !== null)
    return (
      <>
        <p>
          <small>{why}</small>
        </p>
        {children}
      </>
    )
  return (
    <Drop onFiles={send}>
      <span className="row">
        <label htmlFor={id}>{isReplaced ? words.replace : words.upload}</label>
        <input
          id={id}
          type="file"
          multiple={!isReplaced}
          onChange={({ target }) => {
            send(target.files)
            // The same file can be chosen again.
            target.value = ''
          }}
        />
      </span>
      {children}
    </Drop>
  )
}
