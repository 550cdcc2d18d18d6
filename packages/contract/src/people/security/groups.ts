import { crud, patchOf } from '../../crud.ts'
import { exampleGroup } from './examples.ts'
import { whole } from './inputs.ts'
import { Group, GroupInput } from './people-shapes.ts'

/** Groups (specification 2.8). */
export const groups = crud({
  path: '/api/security/groups',
  on: whole,
  one: 'a group',
  many: 'groups',
  view: { key: 'security.groups.view', on: 'global' },
  write: { key: 'security.groups.update', on: 'global' },
  output: Group,
  at: { id: exampleGroup.id },
  example: exampleGroup,
  create: {
    description:
      'You can only grant permissions that you have: a role or repository that grants more is 403.',
    input: GroupInput,
    example: { name: 'The desk', users: ['ada@example.org'] },
  },
  update: {
    withoutRoom: true,
    input: patchOf(GroupInput.shape),
    errors: ['not_found', 'name_taken', 'last_administrator', 'precondition_failed'],
    example: { description: 'Everybody at the desk' },
    output: exampleGroup,
  },
  delete: {
    summary: 'Delete a group; its members lose its permissions at once',
    errors: ['not_found', 'last_administrator', 'precondition_failed'],
  },
})
