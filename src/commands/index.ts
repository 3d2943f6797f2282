import { clientApprove, clientCreate, clientDelete, clientList, clientRevoke } from './accounts/clients.ts'
import { inviteCreate, inviteList, inviteRevoke } from './accounts/invites.ts'
import { keyCreate, keyRevoke } from './accounts/keys.ts'
import { limitClear, limitSet } from './accounts/limits.ts'
import { userClose, userDemote, userList, userPromote, userShow, userSignOut } from './accounts/people-end.ts'
import { tokenCreate, tokenList, tokenRevoke } from './accounts/tokens.ts'
import { userCreate } from './accounts/users.ts'
import { backup } from './backup.ts'
import type { Commands } from './command.ts'
import { copy } from './copy.ts'
import { doctor } from './doctor.ts'
import { duplicatesCommand, duplicatesDismiss } from './duplicates.ts'
import { exportCommand } from './export.ts'
import { health } from './health.ts'
import { historyCommand } from './history.ts'
import { importCommand } from './import.ts'
import { jobsList, jobsRetry } from './jobs.ts'
import { licenses } from './licenses.ts'
import { mcpCommand } from './mcp/mcp.ts'
import { mergeCommand, mergeUndo } from './merge.ts'
import { migrateCommand } from './migrate.ts'
import { mirror } from './mirror.ts'
import { openapi } from './openapi.ts'
import { quickstart } from './quickstart.ts'
import { renameCommand } from './rename.ts'
import { restore } from './restore.ts'
import { revertCommand } from './revert.ts'
import { serve } from './serve.ts'
import { splitCommand } from './split.ts'

/** The subcommands under their headings, as `--help` shows them. */
export const commands: Commands = {
  'Start here': [quickstart(() => commands), serve(() => commands), userCreate, importCommand],
  'The catalog': [
    exportCommand,
    renameCommand,
    duplicatesCommand,
    duplicatesDismiss,
    mergeCommand,
    mergeUndo,
    splitCommand,
    historyCommand,
    revertCommand,
  ],
  'Keys, clients and tokens': [
    keyCreate,
    keyRevoke,
    clientCreate,
    clientList,
    clientApprove,
    clientRevoke,
    clientDelete,
    tokenCreate,
    tokenList,
    tokenRevoke,
    limitSet,
    limitClear,
  ],
  People: [userList, userShow, userPromote, userDemote, userSignOut, userClose],
  Invites: [inviteCreate, inviteList, inviteRevoke],
  'The service': [
    mirror(() => commands),
    mcpCommand,
    doctor,
    health,
    jobsList,
    jobsRetry,
    migrateCommand,
    backup,
    restore,
    copy,
    openapi,
    licenses,
  ],
}
