export { acceptInvitation, invitationToSend, openByInvitation, readInvitationOf } from './accept.ts'
export { sendAgain, sendInvitations, withdrawInvitation } from './send.ts'
