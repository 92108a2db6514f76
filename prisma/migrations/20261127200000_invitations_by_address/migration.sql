-- The invitations of an address in the last hour, by all workspaces: how many more may be mailed.
CREATE INDEX "audit_entry_invited_idx" ON "audit_entry"("subject_name", "at") WHERE "action" = 'invitation.created';
