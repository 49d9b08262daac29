-- floor: 0250
-- Whoever schedules a post with an account of their company holds their right to it (`for share`) until the post stands, so that
-- its end meets the post or the post meets its end. PostgreSQL asks for a right to update what is locked; nobody changes a row,
-- and which rows are held the policy says that shows them.
create policy connection_officer_held on connection_officer for update using (true) with check (false);
grant update (allowed_at) on connection_officer to clear_app;
