ALTER TABLE "holds" ADD COLUMN "replays_call_id" text;--> statement-breakpoint
CREATE INDEX "holds_replays" ON "holds" USING btree ("replays_call_id") WHERE "holds"."replays_call_id" is not null;