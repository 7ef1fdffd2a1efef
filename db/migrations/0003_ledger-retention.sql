CREATE INDEX IF NOT EXISTS "calls_operation" ON "calls" USING btree ("account_id","operation","at","id");--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "ledger_entries_bookings" ON "ledger_entries" USING btree ("account_id") WHERE "ledger_entries"."kind" not in ('grant', 'charge', 'refund');--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "api_keys_rotated" ON "api_keys" USING btree ("rotated_at") WHERE "api_keys"."rotated_at" is not null;--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "verification_tokens_expires" ON "verification_tokens" USING btree ("expires");--> statement-breakpoint
DROP INDEX IF EXISTS "ledger_entries_booked";--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD COLUMN "booked" integer;--> statement-breakpoint
ALTER TABLE "ledger_entries" DROP CONSTRAINT "ledger_entries_kind";--> statement-breakpoint
-- NOT VALID: rows that are there met the narrower constraint, and reading all of them would stop calls meanwhile.
ALTER TABLE "ledger_entries" ADD CONSTRAINT "ledger_entries_kind" CHECK (case "ledger_entries"."kind"
        when 'grant' then "ledger_entries"."delta" > 0 and "ledger_entries"."month" is not null
        when 'charge' then "ledger_entries"."delta" < 0 and "ledger_entries"."call_id" is not null
        when 'refund' then "ledger_entries"."delta" > 0 and "ledger_entries"."call_id" is not null
        when 'adjustment' then "ledger_entries"."note" is not null
        when 'purchase' then "ledger_entries"."delta" > 0 and "ledger_entries"."reference" is not null
        when 'carry_forward' then "ledger_entries"."delta" = "ledger_entries"."balance" and "ledger_entries"."booked" is not null
        else false end) NOT VALID;--> statement-breakpoint
CREATE FUNCTION "guard_ledger_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    IF NEW.kind = 'carry_forward' AND OLD.kind <> 'carry_forward' AND NEW.delta = OLD.balance
      AND (NEW.id, NEW.account_id, NEW.balance, NEW.created_at) = (OLD.id, OLD.account_id, OLD.balance, OLD.created_at) THEN
      RETURN NEW;
    END IF;
  ELSIF EXISTS (SELECT 1 FROM ledger_entries WHERE account_id = OLD.account_id AND kind = 'carry_forward' AND id > OLD.id) THEN
    RETURN OLD;
  END IF;
  RAISE EXCEPTION 'ledger entries are never changed or deleted, but carried forward; write another entry instead';
END
$$;
--> statement-breakpoint
DROP TRIGGER "ledger_entries_append_only" ON "ledger_entries";--> statement-breakpoint
CREATE TRIGGER "ledger_entries_append_only" BEFORE UPDATE OR DELETE ON "ledger_entries"
  FOR EACH ROW EXECUTE FUNCTION "guard_ledger_change"();--> statement-breakpoint
CREATE TRIGGER "ledger_entries_not_truncated" BEFORE TRUNCATE ON "ledger_entries"
  FOR EACH STATEMENT EXECUTE FUNCTION "refuse_ledger_change"();
