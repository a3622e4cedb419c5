"""Who may do what with tickets. The service runs in this process; no network is used."""

import time

import pytest
from fastapi.testclient import TestClient
from tickets_service.app import app
from tickets_service.guards import issue
from tickets_service.tickets import NOTES, TICKETS


@pytest.fixture
def client():
    TICKETS.clear()
    NOTES.clear()
    return TestClient(app)


def as_(who, role="customer"):
    return {"Authorization": f"Bearer {issue(who, role, int(time.time()))}"}


def opened(client, who="alice"):
    return client.post("/v1/tickets", json={"subject": "Lamp", "text": "It is dark"}, headers=as_(who)).json()["id"]


def test_an_owner_reads_a_ticket(client):
    assert client.get(f"/v1/tickets/{opened(client)}", headers=as_("alice")).status_code == 200


def test_another_customer_does_not_read_a_ticket(client):
    assert client.get(f"/v1/tickets/{opened(client)}", headers=as_("bob")).status_code == 404


def test_a_ticket_is_not_read_without_a_token(client):
    assert client.get(f"/v1/tickets/{opened(client)}").status_code == 401


def test_a_changed_token_is_refused(client):
    token = as_("alice")["Authorization"].replace("customer", "staff")
    assert client.get(f"/v1/tickets/{opened(client)}", headers={"Authorization": token}).status_code == 401


def test_a_ticket_is_not_opened_without_a_token(client):
    assert client.post("/v1/tickets", json={"subject": "Lamp", "text": ""}).status_code == 401


def test_a_ticket_without_subject_is_refused(client):
    answer = client.post("/v1/tickets", json={"subject": "", "text": ""}, headers=as_("alice"))
    assert answer.status_code == 422


def test_staff_close_a_ticket(client):
    assert client.delete(f"/v1/tickets/{opened(client)}", headers=as_("carol", "staff")).status_code == 204


def test_staff_read_notes(client):
    ticket = opened(client)
    NOTES[ticket] = ["Called back"]
    assert client.get(f"/v1/tickets/{ticket}/notes", headers={"X-Desk-Role": "staff"}).json() == ["Called back"]


def test_a_customer_does_not_read_notes(client):
    answer = client.get(f"/v1/tickets/{opened(client)}/notes", headers={"X-Desk-Role": "customer"})
    assert answer.status_code == 403


def test_a_failure_says_nothing_of_its_cause(client, monkeypatch):
    monkeypatch.setattr("tickets_service.ops.TICKETS", None)
    answer = TestClient(app, raise_server_exceptions=False).get("/internal/figures")
    assert (answer.status_code, answer.json()) == (500, {"detail": "Something went wrong"})
