import { isQuireError, type ReadItemOf } from '@quire/client'
import { imageUrl, objectPosition, srcset } from '@quire/client/images'
import { mutationOptions, queryOptions } from '@quire/client/query'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { baseUrl, inMagazine, useQuire } from './connection.tsx'
import type { ContentTypes } from './content-types.ts'

/** One article with its cover, and a form that renames it. */
export function Article({ slug }: { readonly slug: string }) {
  const { data, error } = useQuery(
    queryOptions(useQuire(), 'items.getBySlug', { ...inMagazine, slug, include: ['cover'] }),
  )
  if (error) return <p role="alert">{error.message}</p>
  if (data?.type !== 'article') return null
  const cover = data.included?.['cover']?.[0]
  return (
    <article>
      <h1>{data.name}</h1>
      <p>{data.fields?.title}</p>
      {cover?.type === 'picture' && <Picture picture={cover} />}
      <Rename article={data} />
    </article>
  )
}

/** A published picture in the size that the browser needs. An `<img>` sends no token. */
function Picture({ picture }: { readonly picture: ReadItemOf<ContentTypes, 'picture'> }) {
  const asset = { ...inMagazine, assetId: picture.id }
  return (
    <img
      src={imageUrl(baseUrl, { ...asset, rendition: 'medium' })}
      srcSet={srcset(baseUrl, asset, { source: picture.asset ?? null })}
      sizes="300px"
      alt={picture.fields?.alt ?? ''}
      style={{ width: 300, height: 300, objectFit: 'cover', objectPosition: objectPosition(picture.asset) }}
    />
  )
}

/**
 * Renames an article. The version that the editor saw when typing began goes with the change, so
 * that another name from somebody else is a conflict, and is not lost.
 */
function Rename({ article }: { readonly article: ReadItemOf<ContentTypes, 'article'> }) {
  const [edit, setEdit] = useState<{ name: string; baseVersion: number }>()
  const { mutate, error, reset } = useMutation(mutationOptions(useQuire(), 'items.update'))
  const { id, name = '', currentVersion = 0 } = article
  const save = () => edit && mutate({ ...inMagazine, id, ...edit }, { onSuccess: () => setEdit(undefined) })
  const discard = () => {
    setEdit(undefined)
    reset()
  }
  return (
    <form action={save}>
      <input
        aria-label="Name"
        value={edit?.name ?? name}
        onChange={({ target }) =>
          setEdit({ name: target.value, baseVersion: edit?.baseVersion ?? currentVersion })
        }
      />
      <button>Save</button>
      {error && (
        <p role="alert">
          {conflictOf(error) ?? error.message}{' '}
          <button onClick={discard} type="button">
            Discard
          </button>
        </p>
      )}
    </form>
  )
}

function conflictOf(error: Error): string | undefined {
  const [conflict] = (isQuireError(error) && error.conflicts) || []
  return conflict && `Meanwhile somebody else changed it to “${String(conflict.theirs)}”.`
}
